//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// queries.cuh: what arrays of queries ask a log-structured merge tree.
//
// In: a tree, and arrays of keys or of the ends of ranges. Out: launches. Invariant: arrays are
// looked at before anything is queued; the tree is only read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/apart.hpp>
#include <colonnade/detail/lsm/query_order.cuh>
#include <colonnade/detail/lsm/whole.cuh>

namespace colonnade::detail {

template <class Key, class Value, class Resource>
class lsm_queries : public lsm_whole<Key, Value, Resource> {
  using owner = lsm_whole<Key, Value, Resource>;

public:
  using typename owner::raw;
  using typename owner::raw_value;
  using typename owner::table_type;

protected:
  template <class Policy, lsm_query Query>
  cudaError_t ask(void *d_temp, size_t &temp_bytes, const Key *keys, uint64_t n, Key *keys_out,
                  Value *values, bool *present, Value absent, const run_options &options) const {
    if (!owner::is_there() || too_many(n))
      return cudaErrorInvalidValue;
    lsm_query_order<Key> order;
    if constexpr (Policy::sorts_queries)
      if (const cudaError_t error = order.measure(keys, n))
        return error;
    const size_t bytes = order.sort_bytes ? order.all.bytes() : 1;
    if (!d_temp || temp_bytes < bytes)
      return report_bytes(d_temp, temp_bytes, bytes);
    if (!valid_array(keys, n) || (keys_out && !valid_array(keys_out, n)) ||
        (values && !valid_array(values, n)) || (!keys_out && !values && !present && n) ||
        !written_apart({{keys_out, n}, {values, n}, {present, n}}, {{keys, n}}))
      return cudaErrorInvalidValue;
    if constexpr (Policy::sorts_queries)
      if (const cudaError_t error = order.sort(d_temp, keys, n, options.stream))
        return error;
    raw_value nothing_there;
    std::memcpy(&nothing_there, &absent, sizeof absent);
    const lsm_find_arguments<table_type> queries{owner::table_,
                                                 reinterpret_cast<const raw *>(keys),
                                                 n,
                                                 reinterpret_cast<raw *>(keys_out),
                                                 reinterpret_cast<raw_value *>(values),
                                                 present,
                                                 nothing_there,
                                                 options.d_status};
    using tunings = lsm_tunings_of<Policy, table_type>;
    if constexpr (Policy::sorts_queries)
      if (order.d_order)
        return launch_find<tunings, Query>(
            lsm_ordered_find_arguments<table_type>{queries, order.d_order}, options.stream);
    return launch_find<tunings, Query>(queries, options.stream);
  }
  template <class Policy>
  cudaError_t ranges(void *d_temp, size_t &temp_bytes, const Key *first, const Key *last,
                     uint64_t n, uint64_t *offsets, Key *keys, Value *values, uint64_t capacity,
                     const run_options &options) const {
    if (!owner::is_there() || too_many(n))
      return cudaErrorInvalidValue;
    temp_storage layout;
    const size_t sums_at = layout.add<uint64_t>(most_range_tiles(n));
    if (!d_temp || temp_bytes < layout.bytes())
      return report_bytes(d_temp, temp_bytes, layout.bytes());
    const bool lists = keys || values;
    if (!valid_array(first, n) || !valid_array(last, n) || !valid_array(offsets, n + 1) ||
        (keys && !valid_array(keys, capacity)) || (values && !valid_array(values, capacity)) ||
        (!lists && capacity != ~uint64_t{0} && capacity) ||
        !written_apart({{offsets, n + 1}, {keys, capacity}, {values, capacity}},
                       {{first, n}, {last, n}}))
      return cudaErrorInvalidValue;
    return launch_ranges<lsm_tunings_of<Policy, table_type>>(
        lsm_range_arguments<table_type>{
            owner::table_, reinterpret_cast<const raw *>(first),
            reinterpret_cast<const raw *>(last), n, offsets,
            temp_storage::at<uint64_t>(d_temp, sums_at), reinterpret_cast<raw *>(keys),
            reinterpret_cast<raw_value *>(values), capacity, options.d_status},
        options.stream);
  }
};

} // namespace colonnade::detail

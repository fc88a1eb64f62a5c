//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// changes.cuh: changes of a log-structured merge tree.
//
// In: arrays of operations. Out: launches: a sort, a plan with a partition, a merge. Invariant:
// arrays are looked at before anything is queued; all that a change needs beside the tree is in its
// temporary storage.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/lsm/batch_sort.cuh>
#include <colonnade/detail/lsm/launch.cuh>
#include <colonnade/detail/lsm/owner.cuh>

namespace colonnade::detail {

template <class Key, class Value, class Resource>
class lsm_changes : public lsm_owner<Key, Value, Resource> {
  using owner = lsm_owner<Key, Value, Resource>;

public:
  using typename owner::table_type;

protected:
  using owner::digits_;
  using owner::is_there;
  using owner::order_;
  using owner::table_;
  using typename owner::layout;
  using typename owner::raw;
  using typename owner::raw_value;
  using typename owner::slice;
  using run = typename table_type::run;
  using plan_type = lsm_plan<raw, raw_value>;
  using plan_arguments = lsm_plan_arguments<table_type>;
  using batch_sort = lsm_batch_sort<Key, raw, raw_value, typename table_type::format_type>;
  using merge_arguments = lsm_merge_arguments<table_type>;
  static constexpr bool floating = sorted_as<Key>::kind == key_kind::floating;

  /// Operations of a call. values: null if all delete; erases: null if all do the same.
  struct operations {
    const Key *keys;
    const Value *values;
    const bool *erases;
    uint64_t count;
    bool all_erase;
  };

  /// Both phases.
  template <class Policy>
  cudaError_t change(void *d_temp, size_t &temp_bytes, const operations &o,
                     const run_options &options) {
    if (!is_there() || o.count > uint64_t{1} << 32)
      return cudaErrorInvalidValue;
    change_storage at;
    if (const cudaError_t error = place<Policy>(o, at))
      return error;
    if (!d_temp || temp_bytes < at.all.bytes())
      return report_bytes(d_temp, temp_bytes, at.all.bytes());
    if (!valid_array(o.keys, o.count) || (o.values && !valid_array(o.values, o.count)) ||
        (!o.values && !o.all_erase && o.count))
      return cudaErrorInvalidValue;
    if (o.count == 0)
      return cudaSuccess;
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    sorted_batch batch;
    batch.to_level = may_fill_level(o) && batch_sort::sorts(gpu, o.count);
    if (const cudaError_t error = sort(d_temp, at, o, options, gpu, batch))
      return error;
    return merge_batch<Policy>(d_temp, at, batch, options, gpu);
  }

  /// Both phases.
  template <class Policy>
  cudaError_t clean_up(void *d_temp, size_t &temp_bytes, const run_options &options) {
    using tunings = lsm_tunings_of<Policy, table_type>;
    if (!is_there())
      return cudaErrorInvalidValue;
    const uint64_t most_items = table_.capacity() + table_.batch_size;
    const uint32_t most_runs = table_.num_levels + 1;
    temp_storage all;
    const size_t plan_at = all.add<plan_type>(1);
    const uint64_t tiles = most_tiles<tunings>(most_items, most_runs);
    const size_t splits_at = all.add<uint64_t>(tiles * most_runs),
                 counts_at = all.add<uint32_t>(tiles), offsets_at = all.add<uint64_t>(tiles),
                 keys_at = all.add<raw>(most_items), values_at = all.add<raw_value>(most_items);
    if (!d_temp || temp_bytes < all.bytes())
      return report_bytes(d_temp, temp_bytes, all.bytes());
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    plan_type *plan = temp_storage::at<plan_type>(d_temp, plan_at);
    uint64_t *splits = temp_storage::at<uint64_t>(d_temp, splits_at);
    uint32_t *counts = temp_storage::at<uint32_t>(d_temp, counts_at);
    slice staging;
    staging.keys = temp_storage::at<raw>(d_temp, keys_at);
    staging.values = temp_storage::at<raw_value>(d_temp, values_at);
    const plan_arguments planning{table_, {}, nullptr, plan, options.d_status, true, false};
    const merge_arguments merge{plan, splits, table_.format, staging, counts, nullptr};
    const lsm_move_arguments<table_type> move{table_, plan, staging, counts,
                                              temp_storage::at<uint64_t>(d_temp, offsets_at)};
    if (const cudaError_t error = launch_merge<tunings, true>(
            gpu, &planning, merge, splits, most_items, most_runs, options.stream))
      return error;
    if (const cudaError_t error = launch_place(gpu, move, options.stream))
      return error;
    return launch_move(gpu, move, tiles, options.stream);
  }

  /// The same of a change, which is tried again with more levels if it finds no room.
  template <class Policy>
  cudaError_t change_to_end(const operations &o, device_status &status, cudaStream_t stream) {
    for (;;) {
      if (const cudaError_t error = owner::to_end(
              [&](void *d_temp, size_t &bytes, const run_options &options) {
                return change<Policy>(d_temp, bytes, o, options);
              },
              status, stream))
        return error;
      if (status.error() != data_error::buffer_too_small)
        return cudaSuccess;
      if (const cudaError_t error = owner::reserve(
              std::max(status.detail(), table_.capacity() + table_.capacity() / 2), stream))
        return error;
    }
  }

  // Of changes, and of what else is made of their steps (whole.cuh).

  /// What the sort of a call leaves.
  struct sorted_batch {
    run elements;
    bool to_level = false; // to the lowest level, if they fill that alone
    lsm_sort_report<raw> report;
  };
  bool may_fill_level(const operations &o) const {
    return !o.erases && !o.all_erase && o.count == table_.batch_size && table_.num_levels;
  }

  /// Places in the temporary storage of a change.
  struct change_storage {
    temp_storage all;
    size_t keys, values, tombstones, permutation, refused, plan, splits, sort;
    size_t staged_keys, staged_values, staged_tombstones;
    size_t sort_bytes = 0;
    uint64_t most_items, staged;
    uint32_t most_runs;
  };
  template <class Tunings> static uint64_t most_tiles(uint64_t most_items, uint32_t most_runs) {
    return most_on_any([&](gpu_architecture architecture) {
      return most_merged(ask_tuning<Tunings>(architecture,
                                             [](auto of) { return decltype(of)::type::value; }),
                         most_items, most_runs)
          .tiles;
    });
  }
  template <class Policy> cudaError_t place(const operations &o, change_storage &at) const {
    using tunings = lsm_tunings_of<Policy, table_type>;
    const bool mixed = o.erases != nullptr, has_values = !o.all_erase;
    at.most_items = table_.capacity() + table_.batch_size + o.count;
    at.most_runs = table_.num_levels + 2;
    at.staged = most_lsm_staged(table_, o.count);
    temp_storage &all = at.all;
    at.keys = all.add<raw>(o.count);
    at.values = all.add<raw_value>(has_values ? o.count : 0);
    at.tombstones = all.add<uint32_t>(mixed ? (o.count + 31) / 32 : 0);
    at.permutation = all.add<uint32_t>(mixed ? o.count : 0);
    at.refused = all.add<uint32_t>(1);
    at.plan = all.add<plan_type>(1);
    at.splits = all.add<uint64_t>(most_tiles<tunings>(at.most_items, at.most_runs) * at.most_runs);
    at.staged_keys = all.add<raw>(at.staged);
    at.staged_values = all.add<raw_value>(at.staged);
    at.staged_tombstones = all.add<uint32_t>((at.staged + 31) / 32);
    if (const cudaError_t error = call_sort(nullptr, at.sort_bytes, nullptr, at, o, {}))
      return error;
    if (may_fill_level(o) && o.count >= least_sorted_to_level)
      at.sort_bytes = std::max(at.sort_bytes, batch_sort::bytes(o.count));
    at.sort = all.add<char>(at.sort_bytes);
    return cudaSuccess;
  }
  /// The sort of a call, both phases; d_temp: that of the change.
  cudaError_t call_sort(void *d_sort, size_t &bytes, void *d_temp, const change_storage &at,
                        const operations &o, const run_options &options) const {
    Key *keys = d_temp ? temp_storage::at<Key>(d_temp, at.keys) : nullptr;
    if (o.erases)
      return argsort(d_sort, bytes, o.keys,
                     d_temp ? temp_storage::at<uint32_t>(d_temp, at.permutation) : nullptr, o.count,
                     {}, options);
    if (o.all_erase)
      return sort_keys(d_sort, bytes, o.keys, keys, o.count, {}, options);
    const raw_value *from = reinterpret_cast<const raw_value *>(o.values);
    raw_value *values = d_temp ? temp_storage::at<raw_value>(d_temp, at.values) : nullptr;
    return sort_pairs(d_sort, bytes, o.keys, keys, from, values, o.count, {}, options);
  }
  cudaError_t sort(void *d_temp, const change_storage &at, const operations &o,
                   const run_options &options, const device_properties &gpu,
                   sorted_batch &batch) const {
    raw *keys = temp_storage::at<raw>(d_temp, at.keys);
    raw_value *values = temp_storage::at<raw_value>(d_temp, at.values);
    uint32_t *tombstones = temp_storage::at<uint32_t>(d_temp, at.tombstones);
    size_t bytes = at.sort_bytes;
    const run_options on_stream{options.stream, nullptr};
    const uint32_t blocks = lsm_blocks(gpu, o.count / 256 + 1, 16);
    void *const d_sort = temp_storage::at<char>(d_temp, at.sort);
    const slice level = batch.to_level ? table_.level_slice(0, 0) : slice{};
    if (const cudaError_t error = batch.to_level
                                      ? batch_sort{reinterpret_cast<const raw *>(o.keys),
                                                   reinterpret_cast<const raw_value *>(o.values),
                                                   o.count,
                                                   table_.format,
                                                   digits_,
                                                   {table_.state, level.keys, keys},
                                                   {table_.state, level.values, values}}
                                            .start(gpu, d_sort, batch.report, options.stream)
                                      : call_sort(d_sort, bytes, d_temp, at, o, on_stream))
      return error;
    batch.elements = {keys,
                      o.all_erase ? nullptr : values,
                      o.erases ? tombstones : nullptr,
                      nullptr,
                      o.count,
                      o.all_erase};
    if constexpr (floating) {
      uint32_t *refused = temp_storage::at<uint32_t>(d_temp, at.refused);
      if (const cudaError_t error = cudaMemsetAsync(refused, 0, sizeof *refused, options.stream))
        return error;
      if (const cudaError_t error =
              launch(lsm_check_kernel<raw>, {blocks, 256, 0, options.stream, false},
                     lsm_check_arguments<raw>{reinterpret_cast<const raw *>(o.keys), o.count,
                                              refused, options.d_status}))
        return error;
    }
    if (!o.erases)
      return cudaSuccess;
    if (const cudaError_t error = cudaMemsetAsync(
            tombstones, 0, (o.count + 31) / 32 * sizeof *tombstones, options.stream))
      return error;
    return launch(lsm_gather_kernel<table_type>, {blocks, 256, 0, options.stream, false},
                  lsm_gather_arguments<table_type>{
                      table_.format, temp_storage::at<uint32_t>(d_temp, at.permutation),
                      reinterpret_cast<const raw *>(o.keys),
                      reinterpret_cast<const raw_value *>(o.values), o.erases, o.count, keys,
                      values, tombstones, order_ == lsm_order::deletions_win});
  }
  template <class Policy>
  cudaError_t merge_batch(void *d_temp, const change_storage &at, const sorted_batch &batch,
                          const run_options &options, const device_properties &gpu) {
    using tunings = lsm_tunings_of<Policy, table_type>;
    plan_type *plan = temp_storage::at<plan_type>(d_temp, at.plan);
    uint64_t *splits = temp_storage::at<uint64_t>(d_temp, at.splits);
    const uint32_t *refused = floating ? temp_storage::at<uint32_t>(d_temp, at.refused) : nullptr;
    slice staging;
    if (at.staged) {
      staging.keys = temp_storage::at<raw>(d_temp, at.staged_keys);
      staging.values = temp_storage::at<raw_value>(d_temp, at.staged_values);
      staging.tombstones = temp_storage::at<uint32_t>(d_temp, at.staged_tombstones);
    }
    const plan_arguments planning{table_,           batch.elements, refused,        plan,
                                  options.d_status, false,          batch.to_level, batch.report};
    const merge_arguments merge{plan, splits, table_.format, staging, nullptr, table_.state};
    if (const cudaError_t error = launch_merge<tunings, false>(
            gpu, &planning, merge, splits, at.most_items, at.most_runs, options.stream))
      return error;
    return at.staged ? launch_move<table_type>(gpu, {table_, plan, staging, nullptr, nullptr},
                                               at.staged / lsm_moved_piece + 1, options.stream)
                     : cudaSuccess;
  }
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bucket_bins.hpp: the buckets of a multisplit as bins to be counted (counting/bins.hpp).
//
// In: the bucket functor's ids. Out: every key falls into the bin of its bucket; a bucket
// id out of range is reported in the status.
// Invariant: nothing is written but the status.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/counting/bins.hpp>

namespace colonnade::detail {

template <class Key, class Ids> struct bucket_bins : bins_without_table {
  static constexpr bool by_value = false;
  Ids ids;
  explicit bucket_bins(const Ids &i) : ids(i) {}
  template <bool Few, uint32_t N>
  COLONNADE_KERNEL_CODE void find(const void *, const Key (&keys)[N], const uint64_t (&index)[N],
                                  uint32_t (&bins)[N]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k)
      bins[k] = ids(keys[k], index[k]);
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE void report(const Machine &machine, const Key &key, uint64_t index,
                                    device_status *status) const {
    if (status && !ids.in_range(ids.raw(key, index)))
      machine.min_global(&status->first,
                         index << 8 | static_cast<uint64_t>(data_error::bucket_out_of_range));
  }
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_units.cuh: one sort, compiled in two translation units of one programme
// (radix_sort_units_gpu_test.cu, radix_sort_other_unit.cu).
//
// In: pairs in device memory. Out: sorted pairs. Invariant: all host code of a call, down to the
// launch of its kernels, is compiled into the unit that makes the call. So each unit starts its own
// handles of the kernels, as nvcc 13 makes them, while the statics beside them are one for both.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/radix_sort.cuh>

struct pairs_on_device {
  const uint32_t *d_keys_in;
  uint32_t *d_keys_out;
  const uint32_t *d_values_in;
  uint32_t *d_values_out;
  uint64_t num_items;
  bool by_tiles; // else as few items are sorted by default: by a team of blocks
};

struct tiles_policy : colonnade::radix_sort_policy {
  static constexpr uint64_t most_team_items = 0;
};

/// flatten: without it the linker keeps one unit's copy of the functions between here and the
/// launch, and the other unit's handles are never used.
[[gnu::flatten]] static inline cudaError_t sort_in_this_unit(void *d_temp, size_t &bytes,
                                                             const pairs_on_device &pairs) {
  const auto sort = [&](auto policy) {
    return colonnade::sort_pairs(d_temp, bytes, pairs.d_keys_in, pairs.d_keys_out,
                                 pairs.d_values_in, pairs.d_values_out, pairs.num_items, {}, {},
                                 policy);
  };
  return pairs.by_tiles ? sort(tiles_policy{}) : sort(colonnade::radix_sort_policy{});
}

cudaError_t sort_in_other_unit(void *d_temp, size_t &bytes, const pairs_on_device &pairs);

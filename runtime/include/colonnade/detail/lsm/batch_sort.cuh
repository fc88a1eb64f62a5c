//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// batch_sort.cuh: the sort of a batch of pairs, a radix sort whose tiles suit so many.
//
// The radix sort's own tiles are for inputs that fill the GPU many times over: 2^20 pairs of 32
// bits are 69 of them, on 132 SMs, and 2^22 are nine more than the SMs hold at once. Batches of
// these sizes are cut into smaller tiles.
//
// In: pairs. Out: the same, stably sorted. Invariant: the tiles have no influence on the result.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/radix_sort.cuh>

namespace colonnade::detail {

/// Items: of a thread, at most. Measured on an H200 (decision 0022).
template <uint32_t Items> struct batch_sort_policy : radix_sort_policy {
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = radix_sort_policy::tuning(architecture, bits, key_bytes, value_bytes);
    const uint32_t fit = multisplit_policy::items_that_fit(architecture, t.threads, bits,
                                                           key_bytes + value_bytes, Items);
    t.items_per_thread = fit;
    t.values_in_turn = false;
    t.value_rows_ahead = fit < 16 ? fit : 16;
    return t;
  }
};

/// Both phases.
template <class Key, class Value>
cudaError_t sort_batch(void *d_temp, size_t &temp_bytes, const Key *keys_in, Key *keys_out,
                       const Value *values_in, Value *values_out, uint64_t num_pairs,
                       const run_options &options) {
  const auto sort_by = [&](auto policy) {
    return sort_pairs(d_temp, temp_bytes, keys_in, keys_out, values_in, values_out, num_pairs, {},
                      options, policy);
  };
  if constexpr (sizeof(Key) == 4 && sizeof(Value) == 4) {
    if (num_pairs <= uint64_t{1} << 18)
      return sort_by(batch_sort_policy<10>{});
    if (num_pairs <= uint64_t{3} << 21)
      return sort_by(batch_sort_policy<21>{});
  }
  return sort_by(radix_sort_policy{});
}

} // namespace colonnade::detail

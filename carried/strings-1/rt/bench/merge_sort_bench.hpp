//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_bench.hpp: what the files of the merge sort benchmark share: ours and the
// peer, each compiled in a file of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace bench {

enum class merge_kind { keys_32, keys_64, pairs_32, records };
enum class merge_method { by_default, merging, in_registers };

/// Sixteen bytes, ordered by the first member, then by the second.
struct record_16 {
  uint32_t first, second, rest[2];
};
struct by_two_members {
  __host__ __device__ bool operator()(const record_16 &a, const record_16 &b) const {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }
};

struct merge_arrays {
  void *keys_in, *keys_out;
  uint32_t *values_in, *values_out; // of pairs
  uint64_t num_items;
};

/// Unstable for keys, whose equals cannot be told apart; stable for pairs and records.
cudaError_t our_merge_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &, merge_kind,
                           merge_method);
cudaError_t our_default_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &, merge_kind);
cudaError_t our_register_sort(void *d_temp, size_t &temp_bytes,
                              const merge_arrays &); // 32-bit keys
cudaError_t our_wide_merge_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &, merge_kind);

/// CUB's; in_place: StableSortKeys or StableSortPairs of the output arrays, otherwise the
/// copying SortKeysCopy or SortPairsCopy.
cudaError_t peer_merge_sort(void *d_temp, size_t &temp_bytes, const merge_arrays &, merge_kind,
                            bool in_place);

} // namespace bench

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_bench.hpp: what the files of the segmented sort benchmark share: ours
// and the peers, each compiled in a file of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace bench {

struct segmented_arrays {
  const float *keys_in;
  float *keys_out;
  const uint32_t *values_in; // of pairs
  uint32_t *values_out;
  const int *offsets; // num_segments + 1
  uint64_t num_items, num_segments;
  uint64_t length;                // 0: unequal
  uint64_t *words_in, *words_out; // (segment, key) in one word
};

enum class segmented_kind { keys, pairs };

cudaError_t our_equal_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &);
cudaError_t our_listed_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &);
cudaError_t our_segmented_pairs(void *d_temp, size_t &temp_bytes, const segmented_arrays &);

/// CUB's DeviceSegmentedSort, DeviceSegmentedRadixSort, and one DeviceRadixSort over the
/// words, which are not made and taken apart within the time.
cudaError_t cub_segmented_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &,
                               segmented_kind);
cudaError_t cub_segmented_radix_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &,
                                     segmented_kind);
cudaError_t cub_sort_of_words(void *d_temp, size_t &temp_bytes, const segmented_arrays &);

} // namespace bench

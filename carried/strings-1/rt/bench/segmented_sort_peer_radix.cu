//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_peer_radix.cu: CUB's DeviceSegmentedRadixSort, and its DeviceRadixSort of
// words that hold segment and key.
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_bench.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

namespace bench {

cudaError_t cub_segmented_radix_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &a,
                                     segmented_kind kind) {
  const int items = static_cast<int>(a.num_items), segments = static_cast<int>(a.num_segments);
  if (kind == segmented_kind::keys)
    return cub::DeviceSegmentedRadixSort::SortKeys(d_temp, temp_bytes, a.keys_in, a.keys_out, items,
                                                   segments, a.offsets, a.offsets + 1);
  return cub::DeviceSegmentedRadixSort::SortPairs(d_temp, temp_bytes, a.keys_in, a.keys_out,
                                                  a.values_in, a.values_out, items, segments,
                                                  a.offsets, a.offsets + 1);
}

cudaError_t cub_sort_of_words(void *d_temp, size_t &temp_bytes, const segmented_arrays &a) {
  int bits = 32;
  while (bits < 64 && (a.num_segments - 1) >> (bits - 32))
    ++bits;
  return cub::DeviceRadixSort::SortKeys(d_temp, temp_bytes, a.words_in, a.words_out,
                                        static_cast<int>(a.num_items), 0, bits);
}

} // namespace bench

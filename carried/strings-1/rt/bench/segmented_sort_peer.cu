//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_peer.cu: CUB's DeviceSegmentedSort.
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_bench.hpp"

#include <cub/device/device_segmented_sort.cuh>

namespace bench {

cudaError_t cub_segmented_sort(void *d_temp, size_t &temp_bytes, const segmented_arrays &a,
                               segmented_kind kind) {
  const int items = static_cast<int>(a.num_items), segments = static_cast<int>(a.num_segments);
  if (kind == segmented_kind::keys)
    return cub::DeviceSegmentedSort::SortKeys(d_temp, temp_bytes, a.keys_in, a.keys_out, items,
                                              segments, a.offsets, a.offsets + 1);
  return cub::DeviceSegmentedSort::StableSortPairs(d_temp, temp_bytes, a.keys_in, a.keys_out,
                                                   a.values_in, a.values_out, items, segments,
                                                   a.offsets, a.offsets + 1);
}

} // namespace bench

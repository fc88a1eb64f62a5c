//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// comparison_sorts_peer.cu: CUB's merge sort and radix sort.
//
//===----------------------------------------------------------------------===//

#include "comparison_sorts.hpp"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

namespace bench {

namespace {
struct before {
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a < b; }
};
} // namespace

cudaError_t peer_sort(peer_sort_kind kind, void *d_temp, size_t &temp_bytes,
                      const uint32_t *keys_in, uint32_t *keys_out, uint64_t num_items) {
  const uint32_t n = static_cast<uint32_t>(num_items);
  if (kind == peer_sort_kind::merge)
    return cub::DeviceMergeSort::SortKeysCopy(d_temp, temp_bytes, keys_in, keys_out, n, before{});
  return cub::DeviceRadixSort::SortKeys(d_temp, temp_bytes, keys_in, keys_out, n);
}

} // namespace bench

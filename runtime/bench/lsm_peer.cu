//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A sorted array on CUB. Compiled apart: it takes its time.
//
//===----------------------------------------------------------------------===//

#include "lsm_peer.hpp"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

namespace bench {

cudaError_t peer_sort(void *d_temp, size_t &bytes, const pair_arrays &in, const pair_arrays &out,
                      uint64_t n) {
  return cub::DeviceRadixSort::SortPairs(d_temp, bytes, static_cast<const uint32_t *>(in.keys),
                                         out.keys, static_cast<const uint32_t *>(in.values),
                                         out.values, static_cast<int>(n));
}
cudaError_t peer_merge(void *d_temp, size_t &bytes, const pair_arrays &a, uint64_t num_a,
                       const pair_arrays &b, uint64_t num_b, const pair_arrays &out) {
  return cub::DeviceMerge::MergePairs(d_temp, bytes, a.keys, a.values, static_cast<int>(num_a),
                                      b.keys, b.values, static_cast<int>(num_b), out.keys,
                                      out.values);
}
cudaError_t peer_unique(void *d_temp, size_t &bytes, const pair_arrays &in, const pair_arrays &out,
                        uint64_t *d_count, uint64_t n) {
  return cub::DeviceSelect::UniqueByKey(d_temp, bytes, in.keys, in.values, out.keys, out.values,
                                        d_count, static_cast<int>(n));
}

} // namespace bench

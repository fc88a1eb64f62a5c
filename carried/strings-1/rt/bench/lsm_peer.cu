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
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace bench {

cudaError_t peer_sort(void *d_temp, size_t &bytes, const pair_arrays &in, const pair_arrays &out,
                      uint64_t n, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairs(d_temp, bytes, static_cast<const uint32_t *>(in.keys),
                                         out.keys, static_cast<const uint32_t *>(in.values),
                                         out.values, static_cast<int>(n), 0, 32, stream);
}
cudaError_t peer_merge(void *d_temp, size_t &bytes, const pair_arrays &a, uint64_t num_a,
                       const pair_arrays &b, uint64_t num_b, const pair_arrays &out,
                       cudaStream_t stream) {
  return cub::DeviceMerge::MergePairs(d_temp, bytes, a.keys, a.values, static_cast<int>(num_a),
                                      b.keys, b.values, static_cast<int>(num_b), out.keys,
                                      out.values, {}, stream);
}
cudaError_t peer_unique(void *d_temp, size_t &bytes, const pair_arrays &in, const pair_arrays &out,
                        uint64_t *d_count, uint64_t n) {
  return cub::DeviceSelect::UniqueByKey(d_temp, bytes, in.keys, in.values, out.keys, out.values,
                                        d_count, static_cast<int>(n));
}

namespace {

/// How many of n sorted keys are below, or up to, this one.
template <bool UpTo>
__device__ uint32_t count_sorted(const uint32_t *keys, uint32_t n, uint32_t k) {
  uint32_t low = 0;
  while (low < n) {
    const uint32_t middle = (low + n) / 2;
    if (UpTo ? keys[middle] <= k : keys[middle] < k)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}
/// begins: null, or where ranges begin.
__global__ void count_in_sorted(const uint32_t *keys, uint32_t n, peer_range_arrays a,
                                uint32_t *begins) {
  const uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  if (i > a.num_queries)
    return;
  uint32_t count = 0;
  if (i < a.num_queries && a.first[i] <= a.last[i]) {
    const uint32_t begin = count_sorted<false>(keys, n, a.first[i]);
    count = count_sorted<true>(keys, n, a.last[i]) - begin;
    if (begins)
      begins[i] = begin;
  }
  a.offsets[i] = count;
}
template <uint32_t Lanes>
__global__ void copy_from_sorted(pair_arrays sorted, peer_range_arrays a, const uint32_t *begins) {
  const uint64_t i = (blockIdx.x * uint64_t{blockDim.x} + threadIdx.x) / Lanes;
  if (i >= a.num_queries)
    return;
  const uint64_t to = a.offsets[i], count = a.offsets[i + 1] - to;
  const uint32_t begin = begins[i];
  for (uint64_t k = threadIdx.x % Lanes; k < count && to + k < a.capacity; k += Lanes) {
    a.out.keys[to + k] = sorted.keys[begin + k];
    a.out.values[to + k] = sorted.values[begin + k];
  }
}
__global__ void find_in_sorted(pair_arrays sorted, uint32_t num_sorted, const uint32_t *queries,
                               uint32_t *values, uint64_t n, uint32_t absent) {
  const uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t up_to = count_sorted<true>(sorted.keys, num_sorted, queries[i]);
  values[i] = up_to && sorted.keys[up_to - 1] == queries[i] ? sorted.values[up_to - 1] : absent;
}
uint32_t blocks_of(uint64_t threads) { return static_cast<uint32_t>(threads / 256 + 1); }
cudaError_t add_up(void *d_temp, size_t &bytes, const peer_range_arrays &a, cudaStream_t stream) {
  return cub::DeviceScan::ExclusiveSum(d_temp, bytes, a.offsets, a.offsets,
                                       static_cast<int>(a.num_queries + 1), stream);
}

} // namespace

cudaError_t peer_find(const pair_arrays &sorted, uint64_t num_sorted, const uint32_t *queries,
                      uint32_t *values, uint64_t n, uint32_t absent, cudaStream_t stream) {
  find_in_sorted<<<blocks_of(n), 256, 0, stream>>>(sorted, static_cast<uint32_t>(num_sorted),
                                                   queries, values, n, absent);
  return cudaGetLastError();
}
cudaError_t peer_count(void *d_temp, size_t &bytes, const pair_arrays &sorted, uint64_t n,
                       const peer_range_arrays &a, cudaStream_t stream) {
  if (d_temp)
    count_in_sorted<<<blocks_of(a.num_queries + 1), 256, 0, stream>>>(
        sorted.keys, static_cast<uint32_t>(n), a, nullptr);
  return add_up(d_temp, bytes, a, stream);
}
cudaError_t peer_range(void *d_temp, size_t &bytes, const pair_arrays &sorted, uint64_t n,
                       const peer_range_arrays &a, bool by_warps, cudaStream_t stream) {
  size_t scan_bytes = 0;
  if (const cudaError_t error = add_up(nullptr, scan_bytes, a, stream))
    return error;
  scan_bytes = (scan_bytes + 255) / 256 * 256;
  if (!d_temp) {
    bytes = scan_bytes + a.num_queries * sizeof(uint32_t);
    return cudaSuccess;
  }
  uint32_t *const begins = reinterpret_cast<uint32_t *>(static_cast<char *>(d_temp) + scan_bytes);
  count_in_sorted<<<blocks_of(a.num_queries + 1), 256, 0, stream>>>(
      sorted.keys, static_cast<uint32_t>(n), a, begins);
  if (const cudaError_t error = add_up(d_temp, scan_bytes, a, stream))
    return error;
  if (by_warps)
    copy_from_sorted<32><<<blocks_of(a.num_queries * 32), 256, 0, stream>>>(sorted, a, begins);
  else
    copy_from_sorted<8><<<blocks_of(a.num_queries * 8), 256, 0, stream>>>(sorted, a, begins);
  return cudaGetLastError();
}

} // namespace bench

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convex_hull_peer.cu: see convex_hull_peer.hpp.
//
//===----------------------------------------------------------------------===//

#include "convex_hull_peer.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace bench {

peer_sort::peer_sort(uint64_t n, size_t coordinate_bytes, bool floating)
    : n_(n), coordinate_bytes_(coordinate_bytes), floating_(floating) {
  CUDA_OK(cudaMalloc(&d_sorted_, n * coordinate_bytes));
  CUDA_OK(cudaMalloc(&d_indices_, n * sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&d_order_, n * sizeof(uint32_t)));
  CUDA_OK(sort(nullptr, bytes_, d_sorted_));
  CUDA_OK(cudaMalloc(&d_temp_, bytes_));
}
peer_sort::~peer_sort() {
  for (void *d_memory :
       {d_sorted_, static_cast<void *>(d_indices_), static_cast<void *>(d_order_), d_temp_})
    CUDA_OK(cudaFree(d_memory));
}

cudaError_t peer_sort::sort(void *d_temp, size_t &bytes, const void *numbers) const {
  const auto of = [&](auto zero) {
    using key = decltype(zero);
    return cub::DeviceRadixSort::SortPairs(d_temp, bytes, static_cast<const key *>(numbers),
                                           static_cast<key *>(d_sorted_), d_indices_, d_order_,
                                           static_cast<uint32_t>(n_));
  };
  return !floating_ ? of(int32_t{}) : coordinate_bytes_ == 4 ? of(float{}) : of(double{});
}
void peer_sort::queue(const void *numbers) const {
  size_t bytes = bytes_;
  CUDA_OK(sort(d_temp_, bytes, numbers));
}

} // namespace bench

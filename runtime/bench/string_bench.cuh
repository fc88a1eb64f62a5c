//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_bench.cuh: a text on the device, and how long it takes to read it with vector loads, which
// no matching can go faster than.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "small_bench.hpp"

#include <algorithm>
#include <vector>

namespace bench {

constexpr uint32_t read_threads = 256, read_loads = 4;
__global__ void read_alone(const uint4 *from, uint64_t vectors, uint32_t *sum_out) {
  const uint64_t first = uint64_t{blockIdx.x} * read_threads * read_loads + threadIdx.x;
  uint4 loaded[read_loads];
#pragma unroll
  for (uint32_t k = 0; k < read_loads; ++k)
    loaded[k] = first + k * read_threads < vectors ? from[first + k * read_threads] : uint4{};
  uint32_t sum = 0;
#pragma unroll
  for (uint32_t k = 0; k < read_loads; ++k)
    sum += loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
  if (sum == 0x12345678)
    *sum_out = sum;
}

class bench_text {
public:
  uint8_t *d_text = nullptr;
  uint64_t n;
  uint64_t capacity; // of positions
  uint64_t *d_positions = nullptr, *d_number = nullptr;

  bench_text(uint64_t bytes, uint64_t most_positions) : n(bytes), capacity(most_positions) {
    CUDA_OK(cudaMalloc(&d_text, n));
    CUDA_OK(cudaMalloc(&d_positions, capacity * 8));
    CUDA_OK(cudaMalloc(&d_number, 8));
  }
  ~bench_text() {
    CUDA_OK(cudaFree(d_text));
    CUDA_OK(cudaFree(d_positions));
    CUDA_OK(cudaFree(d_number));
  }
  bench_text(const bench_text &) = delete;

  float read() const {
    const uint64_t vectors = n / 16;
    const auto blocks = static_cast<uint32_t>((vectors + read_threads * read_loads - 1) /
                                              (read_threads * read_loads));
    return milliseconds([&] {
      read_alone<<<blocks, read_threads>>>(reinterpret_cast<const uint4 *>(d_text), vectors,
                                           reinterpret_cast<uint32_t *>(d_number));
    });
  }
  float write(uint64_t num_positions) const {
    return milliseconds([&] { CUDA_OK(cudaMemsetAsync(d_positions, 1, 8 * num_positions)); });
  }
  uint64_t number() const {
    uint64_t number = 0;
    CUDA_OK(cudaMemcpy(&number, d_number, 8, cudaMemcpyDeviceToHost));
    return number;
  }
  /// Periodically, from the host.
  void fill(const std::vector<uint8_t> &piece) const {
    for (uint64_t at = 0; at < n; at += piece.size())
      CUDA_OK(cudaMemcpy(d_text + at, piece.data(), std::min<uint64_t>(piece.size(), n - at),
                         cudaMemcpyHostToDevice));
  }
  std::vector<uint8_t> drawn(uint64_t at, uint64_t length) const {
    std::vector<uint8_t> pattern(length);
    CUDA_OK(cudaMemcpy(pattern.data(), d_text + at, length, cudaMemcpyDeviceToHost));
    return pattern;
  }
};

} // namespace bench

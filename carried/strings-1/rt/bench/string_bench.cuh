//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_bench.cuh: a text on the device, and how long it takes to read it with vector loads, which
// no matching can go faster than; source text of this machine; memmem of the host.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "small_bench.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
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

/// Of this machine, up to 256 MB.
inline std::vector<uint8_t> source_files() {
  std::vector<uint8_t> all;
  for (const char *folder : {"/usr/local/cuda/include", "/usr/include", "/usr/lib/python3",
                             "/usr/local/lib", "/usr/share/common-licenses"}) {
    std::error_code none;
    for (auto at = std::filesystem::recursive_directory_iterator(folder, none);
         at != std::filesystem::recursive_directory_iterator() && all.size() < (256u << 20);
         at.increment(none)) {
      const auto extension = at->path().extension();
      if (!at->is_regular_file(none) ||
          (extension != ".h" && extension != ".hpp" && extension != ".cuh" && extension != ".py"))
        continue;
      std::ifstream file(at->path(), std::ios::binary);
      all.insert(all.end(), std::istreambuf_iterator<char>(file), {});
    }
  }
  return all;
}

/// Milliseconds of a thread for each share of a text in host memory: all matches, by memmem.
inline float milliseconds_of_memmem(const std::vector<uint8_t> &text,
                                    const std::vector<uint8_t> &pattern, uint32_t threads,
                                    std::atomic<uint64_t> &found) {
  found = 0;
  const auto search = [&](uint32_t t) {
    const uint64_t share = text.size() / threads,
                   last = t + 1 == threads ? text.size() : share * (t + 1);
    const uint8_t *at = text.data() + share * t;
    const uint8_t *const end = text.data() + std::min(last + pattern.size() - 1, text.size());
    uint64_t mine = 0;
    while (const void *hit =
               memmem(at, static_cast<size_t>(end - at), pattern.data(), pattern.size())) {
      at = static_cast<const uint8_t *>(hit) + 1;
      ++mine;
    }
    found += mine;
  };
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> others;
  for (uint32_t t = 1; t < threads; ++t)
    others.emplace_back(search, t);
  search(0);
  for (std::thread &t : others)
    t.join();
  return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace bench

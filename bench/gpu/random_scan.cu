//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// random_scan.cu: S += A[π(i)] on a GPU, over arrays of 1 MB to 64 GB, as section
// 2.1 of "Virtual Address Translation and GPU Convex Hull" has it on a CPU.
//
// In: optionally the log2 of the largest array's bytes (36). Out: CSV lines
// `bytes,way,nanoseconds` of one access: `all` threads at once (its inverse is a
// rate), or `one` thread whose next address waits for the last access (a latency).
// π is a bijection that is computed, so that nothing but A is read.
//
//===----------------------------------------------------------------------===//
#include "timing.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int runs = 5;
constexpr uint64_t accesses_of_all = uint64_t{1} << 26, accesses_of_one = 20'000;

/// A bijection of the numbers of `bits` bits: odd factors and shifts to the right.
__device__ uint64_t scattered(uint64_t i, unsigned bits) {
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  for (int round = 0; round < 3; ++round) {
    i = (i * 0x9e3779b97f4a7c15u + 0xbf58476d1ce4e5b9u) & mask;
    i ^= i >> (bits / 2);
  }
  return i;
}

__global__ void scan_by_all(const uint32_t *cells, unsigned bits, uint64_t accesses,
                            uint32_t *sums) {
  uint32_t sum = 0;
  const uint64_t threads = uint64_t{gridDim.x} * blockDim.x;
  const uint64_t thread = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x;
#pragma unroll 4
  for (uint64_t i = thread; i < accesses; i += threads)
    sum += cells[scattered(i, bits)];
  if (sum != 0)
    sums[thread] = sum;
}

/// Cells are 0: each address is known only when the access before it is done.
__global__ void scan_by_one(const uint32_t *cells, unsigned bits, uint64_t first, uint64_t accesses,
                            uint32_t *sums) {
  uint32_t sum = 0;
  for (uint64_t i = first; i < first + accesses; ++i)
    sum += cells[scattered(i + sum, bits)];
  if (sum != 0)
    sums[0] = sum;
}

template <class Launch> double median_ns(uint64_t accesses, Launch launch) {
  return 1e9 * median_seconds(runs, launch) / static_cast<double>(accesses);
}

} // namespace

int main(int argc, char **argv) {
  const unsigned most = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 36;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  const int blocks = properties.multiProcessorCount * 8;
  std::printf("# %s\nbytes,way,nanoseconds\n", properties.name);
  uint32_t *d_cells = nullptr, *d_sums = nullptr;
  check(cudaMalloc(&d_cells, uint64_t{1} << most));
  check(cudaMemset(d_cells, 0, uint64_t{1} << most));
  check(cudaMalloc(&d_sums, static_cast<size_t>(blocks) * 256 * sizeof(uint32_t)));
  for (unsigned x = 20; x <= most; ++x) {
    const unsigned bits = x - 2;
    const double all = median_ns(accesses_of_all, [&] {
      scan_by_all<<<blocks, 256>>>(d_cells, bits, accesses_of_all, d_sums);
    });
    uint64_t first = 0;
    const double one = median_ns(accesses_of_one, [&] {
      scan_by_one<<<1, 1>>>(d_cells, bits, first, accesses_of_one, d_sums);
      first += accesses_of_one; // others than before, which caches may hold
    });
    const auto bytes = static_cast<unsigned long long>(uint64_t{1} << x);
    std::printf("%llu,all,%.6f\n%llu,one,%.3f\n", bytes, all, bytes, one);
    std::fflush(stdout);
  }
}

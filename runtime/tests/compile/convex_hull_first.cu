//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The first programme of docs/runtime/convex_hull.md.
//
//===----------------------------------------------------------------------===//

#include <colonnade/convex_hull.cuh>

#include <cstdio>
#include <cstdlib>

template <class T> T *array(size_t count) {
  T *memory = nullptr;
  if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess) {
    std::printf("no memory, or no GPU\n");
    std::exit(1);
  }
  return memory;
}

int main() {
  constexpr uint32_t n = 1000;
  float2 *const points = array<float2>(n);
  uint32_t *const hull = array<uint32_t>(n);
  uint64_t *const num_hull = array<uint64_t>(1);
  for (uint32_t i = 0; i < n; ++i) { // |x| + |y| is at most 10
    const int x = static_cast<int>(i % 21) - 10, most = 10 - std::abs(x);
    points[i] = {static_cast<float>(x), static_cast<float>(static_cast<int>(i / 21) % (most + 1))};
  }

  const colonnade::interleaved_points<float> all{&points->x};
  size_t bytes = 0; // of temporary storage: the first call only says how many
  cudaError_t error = colonnade::convex_hull(nullptr, bytes, all, n, hull, n, num_hull);
  if (!error)
    error = colonnade::convex_hull(array<char>(bytes), bytes, all, n, hull, n, num_hull);
  if (!error)
    error = cudaDeviceSynchronize();
  if (error) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (uint64_t k = 0; k < *num_hull; ++k)
    std::printf("point %u at (%g, %g)\n", hull[k], static_cast<double>(points[hull[k]].x),
                static_cast<double>(points[hull[k]].y));
}

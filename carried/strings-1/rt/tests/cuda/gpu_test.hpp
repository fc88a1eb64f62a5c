//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// gpu_test.hpp: a dozen lines of test harness for machines that have nothing but
// the CUDA toolkit. EXPECT and CUDA_OK count failures; main returns gpu_result().
// Without a GPU the exit code is 77, which ctest shows as skipped.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

inline int &gpu_failures() {
  static int failures = 0;
  return failures;
}

#define EXPECT(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition) && ++gpu_failures() < 50) {                                                   \
      std::printf("%s:%d: failed: %s: ", __FILE__, __LINE__, #condition);                          \
      std::printf(__VA_ARGS__);                                                                    \
      std::printf("\n");                                                                           \
    }                                                                                              \
  } while (false)

#define CUDA_OK(call)                                                                              \
  do {                                                                                             \
    const cudaError_t error_ = (call);                                                             \
    if (error_ != cudaSuccess) {                                                                   \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));       \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

inline void require_gpu() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0)
    return;
  std::printf("skipped: no GPU\n");
  std::exit(77);
}

/// Whether the programme was called with this option, as --small.
inline bool has_option(int argc, char **argv, const char *option) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], option) == 0)
      return true;
  return false;
}

inline int gpu_result(const char *what) {
  std::printf("%s: %s\n", what, gpu_failures() ? "FAILED" : "passed");
  return gpu_failures() ? 1 : 0;
}

/// Different for every index; never zero for long.
inline __host__ __device__ uint64_t scramble(uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 29) * 0x94d049bb133111ebu;
  return x ^ x >> 32;
}

template <class T> __global__ void fill_with_scrambled(T *items, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    items[i] = static_cast<T>(scramble(i));
}

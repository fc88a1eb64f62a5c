//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// no_gpu.hpp: checks of arguments that need no device.
//
// REFUSED: the call returns cudaErrorInvalidValue. The programme runs where no
// device is visible, so any CUDA call would have returned another error: the check
// comes before the first. REACHES_CUDA: a call of which only that is wrong. Data
// pointers are of host memory and are never followed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../cuda/gpu_test.hpp"

#define REFUSED(...)                                                                               \
  do {                                                                                             \
    const cudaError_t error = (__VA_ARGS__);                                                       \
    EXPECT(error == cudaErrorInvalidValue, "returns %s", cudaGetErrorName(error));                 \
  } while (false)

#define REACHES_CUDA(...)                                                                          \
  do {                                                                                             \
    const cudaError_t error = (__VA_ARGS__);                                                       \
    EXPECT(error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver, "returns %s",       \
           cudaGetErrorName(error));                                                               \
  } while (false)

inline void require_no_gpu() {
  int count = 0;
  EXPECT(cudaGetDeviceCount(&count) != cudaSuccess || count == 0, "a device is visible");
  (void)cudaGetLastError();
}

/// A number of items that was -100.
constexpr uint64_t negative = ~uint64_t{0} - 99;

/// Room for 1000 items; `at(k)` is off by k bytes.
template <class T> struct some_memory {
  alignas(256) char bytes[1000 * sizeof(T) + 256];
  T *get() { return reinterpret_cast<T *>(bytes); }
  const T *in() { return get(); }
  T *at(size_t offset_bytes) { return reinterpret_cast<T *>(bytes + offset_bytes); }
};

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// gpu_example.cuh: what the examples need of a GPU: arrays, and what failed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

/// Exit code 77: there is no GPU.
inline int no_gpu() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0)
    return 0;
  std::fprintf(stderr, "no GPU\n");
  return 77;
}
inline bool done(cudaError_t error) {
  if (error != cudaSuccess)
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

/// On the device; `get` is null if there was no memory, which later calls refuse.
template <class T> class gpu_array {
public:
  explicit gpu_array(uint64_t count) : count_(count) {
    if (!done(cudaMalloc(&d_, count * sizeof(T) + 1)))
      d_ = nullptr;
  }
  explicit gpu_array(const std::vector<T> &from) : gpu_array(from.size()) {
    if (d_)
      (void)done(cudaMemcpy(d_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  gpu_array(const gpu_array &) = delete;
  ~gpu_array() { (void)cudaFree(d_); }
  T *get() const { return d_; }
  uint64_t size() const { return count_; }
  T *data() const { return d_; }
  bool read(std::vector<T> &to, uint64_t count) const {
    to.resize(count);
    return done(cudaMemcpy(to.data(), d_, count * sizeof(T), cudaMemcpyDeviceToHost));
  }

private:
  T *d_ = nullptr;
  uint64_t count_;
};

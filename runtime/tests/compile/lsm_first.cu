//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The first programme of docs/runtime/lsm.md.
//
//===----------------------------------------------------------------------===//

#include <colonnade/lsm.cuh>

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
  uint32_t *const keys = array<uint32_t>(n), *const found_keys = array<uint32_t>(n);
  float *const values = array<float>(n), *const found_values = array<float>(n);
  uint32_t *const first = array<uint32_t>(1), *const last = array<uint32_t>(1);
  uint64_t *const offsets = array<uint64_t>(2);
  for (uint32_t i = 0; i < n; ++i) {
    keys[i] = 7 * i % n; // every number below n once
    values[i] = static_cast<float>(keys[i]) / 10;
  }
  *first = 0;
  *last = 6;

  using tree = colonnade::lsm_map<uint32_t, float>;
  tree log;
  colonnade::device_status status;
  cudaError_t error = tree::create(log, {});
  if (!error)
    error = log.insert(keys, values, n, status);
  if (!error)
    error = log.erase(keys, 500, status); // the first 500 of the array, 1, 2 and 3 among them
  if (!error)
    error = log.range(first, last, 1, offsets, found_keys, found_values, n, status);
  if (error) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (uint64_t i = 0; i < offsets[1]; ++i)
    std::printf("%u: %.1f\n", found_keys[i], static_cast<double>(found_values[i]));
}

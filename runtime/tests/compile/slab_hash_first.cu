//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The first programme of docs/runtime/slab_hash.md.
//
//===----------------------------------------------------------------------===//

#include <colonnade/slab_hash.cuh>

#include <cstdio>
#include <cstdlib>

struct add {
  __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a + b; }
};

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
  uint32_t *const keys = array<uint32_t>(n), *const ones = array<uint32_t>(n);
  uint32_t *const digits = array<uint32_t>(10), *const counts = array<uint32_t>(10);
  for (uint32_t i = 0; i < n; ++i) {
    keys[i] = i * i % 10; // the last digit of a square
    ones[i] = 1;
  }
  for (uint32_t i = 0; i < 10; ++i)
    digits[i] = i;

  using dictionary = colonnade::slab_map<uint32_t, uint32_t>;
  dictionary map;
  colonnade::device_status status;
  cudaError_t error =
      dictionary::create(map, colonnade::slab_map_options_for<uint32_t, uint32_t>(n));
  if (!error) // how often each key comes
    error = map.insert_or_apply(keys, ones, n, add{}, status);
  if (!error)
    error = map.find(digits, counts, 10, status);
  if (error) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (uint32_t i = 0; i < 10; ++i)
    if (counts[i] != ~0u) // what find writes for a key that is not there
      std::printf("%u squares end in %u\n", counts[i], i);
}

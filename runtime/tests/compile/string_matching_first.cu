//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The first programme of docs/runtime/string_matching.md.
//
//===----------------------------------------------------------------------===//

#include <colonnade/string_matching.cuh>

#include <cstdio>
#include <cstdlib>
#include <cstring>

template <class T> T *array(size_t count) {
  T *memory = nullptr;
  if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess) {
    std::printf("no memory, or no GPU\n");
    std::exit(1);
  }
  return memory;
}

int main() {
  const char words[] = "how much wood would a woodchuck chuck";
  constexpr uint64_t n = sizeof words - 1, capacity = 10;
  uint8_t *const text = array<uint8_t>(n);
  uint64_t *const positions = array<uint64_t>(capacity), *const number = array<uint64_t>(1);
  std::memcpy(text, words, n);

  colonnade::matcher wood;
  cudaError_t error = colonnade::matcher::create(wood, "wood", 4);
  if (!error)
    error = colonnade::single_phase(
        colonnade::async_resource{}, nullptr, [&](void *d_temp, size_t &bytes) {
          return colonnade::find_matches(d_temp, bytes, wood.ref(), text, n, positions, capacity,
                                         number);
        });
  if (!error)
    error = cudaDeviceSynchronize();
  if (error) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (uint64_t i = 0; i < *number && i < capacity; ++i)
    std::printf("at %llu\n", static_cast<unsigned long long>(positions[i]));
}

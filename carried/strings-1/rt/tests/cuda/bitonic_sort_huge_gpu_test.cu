//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A bitonic sort of more than 2^32 keys of one byte on the GPU: 5 GB of device memory.
//
//   --small   a few thousand keys by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"
#include "sort_case.cuh"

#include <colonnade/bitonic_sort.cuh>

using namespace colonnade;

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 1.1);
  const device_array<uint8_t> keys(n);
  check_huge_sort(keys.get(), n, [&] {
    CUDA_OK(bitonic_sort_keys(keys.get(), n));
    return keys.get();
  });
  keys.expect_intact("keys");
  return gpu_result("bitonic sort of more than 2^32 keys");
}

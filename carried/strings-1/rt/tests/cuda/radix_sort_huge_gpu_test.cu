//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A radix sort of more than 2^32 keys on the GPU: 35 GB of device memory.
//
//   --small   a few thousand keys by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"
#include "sort_case.cuh"

#include <colonnade/radix_sort.cuh>

using namespace colonnade;

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 8.5);
  const device_array<uint32_t> in(n), out(n);
  check_huge_sort(in.get(), n, [&] {
    double_buffer<uint32_t> both{in.get(), out.get()};
    call_twice([&](void *d_temp, size_t &bytes) { return sort_keys(d_temp, bytes, both, n); });
    return both.current;
  });
  in.expect_intact("first buffer");
  out.expect_intact("second buffer");
  return gpu_result("radix sort of more than 2^32 keys");
}

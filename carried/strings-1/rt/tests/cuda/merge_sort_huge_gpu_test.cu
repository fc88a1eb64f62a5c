//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A merge sort of more than 2^32 keys on the GPU, in place: 36 GB of device memory.
//
//   --small   a few thousand keys by the same code
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"
#include "sort_case.cuh"

#include <colonnade/merge_sort.cuh>

using namespace colonnade;

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 8.5);
  const device_array<uint32_t> keys(n);
  check_huge_sort(keys.get(), n, [&] {
    call_twice([&](void *d_temp, size_t &bytes) {
      return merge_sort_keys(d_temp, bytes, static_cast<const uint32_t *>(keys.get()), keys.get(),
                             n, ascending{}, {}, merging_policy{});
    });
    return keys.get();
  });
  keys.expect_intact("keys");
  return gpu_result("merge sort of more than 2^32 keys");
}

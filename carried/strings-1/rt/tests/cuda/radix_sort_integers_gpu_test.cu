//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Radix sorts of integers of 8 to 64 bits on the GPU, values of 1 to 16 bytes.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "radix_sort_case.cuh"

using namespace colonnade;

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  for (uint64_t n : small ? std::vector<uint64_t>{3000} : std::vector<uint64_t>{1, 777, 300007}) {
    // Comparisons of a rank sort, and with them racecheck's time, grow with the square of n.
    const uint64_t ranked = small ? 1000 : n;
    check_sorts_of<uint8_t>(n);
    check_sorts_of<int8_t>(n);
    check_sorts_of<uint16_t>(n);
    check_sorts_of<int16_t>(n);
    check_sorts_of<int32_t>(ranked);
    check_sorts_of<uint64_t>(ranked);
    check_sorts_of<int64_t>(ranked);
    check_sort_pairs<small_sort_policy, uint8_t>(sort_keys_of<uint64_t>(ranked, 1), {});
    check_sort_pairs<small_sort_policy, blob<16>>(sort_keys_of<uint16_t>(n, 2), {});
    check_sort_pairs<small_sort_policy, blob<5>>(sort_keys_of<int32_t>(ranked, 3), {});
    check_argsort<small_sort_policy, uint64_t>(sort_keys_of<uint32_t>(ranked, 4), {});
  }
  return gpu_result("radix sort of integers");
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Radix sorts of floats of 16 to 64 bits on the GPU: zeros of both signs are equal,
// NaNs lie where their bits put them.
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
    check_sorts_of<float>(ranked);
    check_sorts_of<double>(ranked);
    check_sorts_of<__half>(n);
    check_sorts_of<__nv_bfloat16>(n);
    check_sort_pairs<small_sort_policy, uint32_t>(sort_keys_of<float>(ranked, 1), {});
    check_sort_pairs<small_sort_policy, double>(sort_keys_of<double>(ranked, 2), {true});
  }
  return gpu_result("radix sort of floats");
}

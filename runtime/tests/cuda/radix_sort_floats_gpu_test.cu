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

namespace {

template <class Key> void check_type(uint64_t n) {
  const auto keys = sort_keys_of<Key>(n, sizeof(Key));
  for (const bool descending : {false, true}) {
    check_sort_keys<light_sort_policy>(keys, {descending});
    check_sort_keys<light_sort_policy>(keys, {descending, 2, 7});
    check_argsort<light_sort_policy, uint32_t>(keys, {descending});
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  for (uint64_t n : small ? std::vector<uint64_t>{3000} : std::vector<uint64_t>{1, 777, 300007}) {
    check_type<float>(n);
    check_type<double>(n);
    check_type<__half>(n);
    check_type<__nv_bfloat16>(n);
    check_sort_pairs<light_sort_policy, uint32_t>(sort_keys_of<float>(n, 1), {});
    check_sort_pairs<light_sort_policy, double>(sort_keys_of<double>(n, 2), {true});
  }
  return gpu_result("radix sort of floats");
}

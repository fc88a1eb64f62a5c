//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Multisplit on the GPU for keys and values of 1 to 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

using namespace colonnade;

namespace {

template <class Key, class Value> void check_types(uint64_t n) {
  for (uint32_t m : {7, 130})
    check_split<coarse_policy, Key, Value>(some_keys<Key>(n, sizeof(Key)), m, modulo_bucket{m});
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  for (uint64_t n : small ? std::vector<uint64_t>{777} : std::vector<uint64_t>{1, 777, 300007}) {
    check_types<uint8_t, void>(n);
    check_types<uint16_t, void>(n);
    check_types<uint64_t, void>(n);
    check_types<blob<3>, void>(n);
    check_types<blob<12>, void>(n);
    check_types<blob<16>, void>(n);
    check_types<uint32_t, uint8_t>(n);
    check_types<uint32_t, uint32_t>(n);
    check_types<uint64_t, uint64_t>(n);
    check_types<uint8_t, blob<16>>(n);
    check_types<blob<16>, blob<16>>(n);
    check_types<uint16_t, blob<5>>(n);
  }
  return gpu_result("multisplit of all types");
}

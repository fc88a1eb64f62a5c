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

struct in_turn : coarse_policy {
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = coarse_policy::tuning(architecture, bits, key_bytes, value_bytes);
    t.values_in_turn = true;
    return t;
  }
};

template <class Key, class Value, class Policy = coarse_policy> void check_types(uint64_t n) {
  for (uint32_t m : {7, 130})
    check_split<Policy, Key, Value>(some_keys<Key>(n, sizeof(Key)), m, modulo_bucket{m});
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
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
    check_types<uint32_t, uint32_t, in_turn>(n);
    check_types<uint8_t, uint64_t, in_turn>(n);
    check_types<uint64_t, uint16_t, in_turn>(n);
  }
  return gpu_result("multisplit of all types");
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_keys.hpp: keys for tests of kernels on the host.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace colonnade::testing {

inline std::vector<uint32_t> random_keys(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> keys(n);
  for (uint32_t &k : keys)
    k = static_cast<uint32_t>(random());
  return keys;
}

} // namespace colonnade::testing

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// period.hpp: the period of a pattern: after how many bytes it repeats itself.
//
// In: a pattern in host memory. Out: its smallest period, if that is at most half of its length.
// Invariant: pattern[i] == pattern[i - period] for every i from the period on.
//
// Source: D. Knuth, J. Morris, V. Pratt, Fast pattern matching in strings (1977): the failure
// function.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace colonnade::detail {

/// 0 if it is longer. The pattern has 2^32 bytes at most.
inline uint32_t short_period(const uint8_t *pattern, uint64_t length) {
  std::vector<uint32_t> border(length + 1); // of each prefix: its longest proper one at both ends
  uint32_t longest = 0;
  for (uint64_t i = 1; i < length; ++i) {
    while (longest > 0 && pattern[i] != pattern[longest])
      longest = border[longest];
    longest += pattern[i] == pattern[longest];
    border[i + 1] = longest;
  }
  const uint64_t period = length - longest;
  return 2 * period <= length ? static_cast<uint32_t>(period) : 0;
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// period.hpp: the period of a pattern: after how many bytes it repeats itself.
//
// In: a pattern in host memory. Out: its smallest period, which may be its length. Invariant:
// pattern[i] == pattern[i - period] for every i from the period on.
//
// Source: D. Knuth, J. Morris, V. Pratt, Fast pattern matching in strings (1977): the failure
// function.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace colonnade::detail {

/// The pattern has 2^32 - 1 characters at most.
template <class Character> uint32_t smallest_period(const Character *pattern, uint64_t length) {
  std::vector<uint32_t> border(length + 1); // of each prefix: its longest proper one at both ends
  uint32_t longest = 0;
  for (uint64_t i = 1; i < length; ++i) {
    while (longest > 0 && pattern[i] != pattern[longest])
      longest = border[longest];
    longest += pattern[i] == pattern[longest];
    border[i + 1] = longest;
  }
  return static_cast<uint32_t>(length - longest);
}
/// 0 if it is more than half of the length.
template <class Character> uint32_t short_period(const Character *pattern, uint64_t length) {
  const uint32_t period = smallest_period(pattern, length);
  return 2 * uint64_t{period} <= length ? period : 0;
}

} // namespace colonnade::detail

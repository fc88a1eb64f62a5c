//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// folding.hpp: bytes of which A to Z and a to z are equal.
//
// In: a pattern in lower case. Out: whether bytes of a text are its bytes. Invariant: a byte with
// bit 5 set is a small letter only if it was that letter in either case; so setting that bit where
// the pattern has a letter, and nowhere else, is exact.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t case_bits = 0x20202020u;

/// Bit 7 of every byte from `first` to `last`, both below 128, and no other bit.
COLONNADE_HOST_DEVICE uint32_t bytes_between(uint32_t word, uint32_t first, uint32_t last) {
  const uint32_t low = word & 0x7f7f7f7fu;
  return (low + (0x80 - first) * 0x01010101u) & ~(low + (0x7f - last) * 0x01010101u) & ~word &
         0x80808080u;
}
/// fold: case_bits, or 0: nothing is folded. In lower case.
COLONNADE_HOST_DEVICE uint32_t folded(uint32_t word, uint32_t fold) {
  return word | (bytes_between(word, 'A', 'Z') >> 2 & fold);
}
/// What is set in a text before it is compared with these bytes of a pattern in lower case.
COLONNADE_HOST_DEVICE uint32_t ignored_bits(uint32_t pattern, uint32_t fold) {
  return bytes_between(pattern, 'a', 'z') >> 2 & fold;
}

} // namespace colonnade::detail

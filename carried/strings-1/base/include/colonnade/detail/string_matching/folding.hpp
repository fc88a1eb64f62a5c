//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// folding.hpp: characters of which A to Z and a to z are equal.
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

/// The same of two characters of 16 bits.
COLONNADE_HOST_DEVICE uint32_t wide_between(uint32_t word, uint32_t first, uint32_t last) {
  const uint32_t high =
      ((word & 0x7f007f00u) + 0x7f007f00u) | word; // bit 15: the high byte is not 0
  return bytes_between(word, first, last) & ~(high >> 8) & 0x00800080u;
}

/// What is folded, and how, in a word of such characters.
template <class Character> struct letters;
template <> struct letters<uint8_t> {
  static constexpr uint32_t all_case_bits = case_bits;
  COLONNADE_HOST_DEVICE static uint32_t lower(uint32_t word, uint32_t fold) {
    return folded(word, fold);
  }
  COLONNADE_HOST_DEVICE static uint32_t ignored(uint32_t pattern, uint32_t fold) {
    return ignored_bits(pattern, fold);
  }
};
template <> struct letters<uint16_t> {
  static constexpr uint32_t all_case_bits = 0x00200020u;
  COLONNADE_HOST_DEVICE static uint32_t lower(uint32_t word, uint32_t fold) {
    return word | (wide_between(word, 'A', 'Z') >> 2 & fold);
  }
  COLONNADE_HOST_DEVICE static uint32_t ignored(uint32_t pattern, uint32_t fold) {
    return wide_between(pattern, 'a', 'z') >> 2 & fold;
  }
};

} // namespace colonnade::detail

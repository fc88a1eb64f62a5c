//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// alphabet.hpp: the characters of a pattern as the text has them.
//
// In: a pattern in host memory, a byte a character. Out: numbers, and words of them. Invariant: a
// pattern with a character outside of the alphabet has neither.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_packed_options.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace colonnade::detail {

/// Whether characters can be of so many bits, and have such letters.
inline bool valid_packing(const packed_options &options) {
  const bool dna = options.letters != packed_letters::numbers;
  return options.bits == 2 || (!dna && (options.bits == 1 || options.bits == 4));
}
/// At least 2^bits if the byte means no character.
inline uint32_t number_of_letter(uint8_t letter, const packed_options &options) {
  if (options.letters == packed_letters::numbers)
    return letter;
  const std::string_view letters = options.letters == packed_letters::acgt ? "ACGT" : "TCAG";
  const bool small = options.fold_case && letter >= 'a' && letter <= 'z';
  const size_t number = letters.find(static_cast<char>(small ? letter - 'a' + 'A' : letter));
  return number == letters.npos ? 256 : static_cast<uint32_t>(number);
}
/// Empty if a character is outside of the alphabet.
inline std::vector<uint8_t> numbers_of(const uint8_t *pattern, uint64_t length,
                                       const packed_options &options) {
  std::vector<uint8_t> numbers(length);
  for (uint64_t i = 0; i < length; ++i) {
    const uint32_t number = number_of_letter(pattern[i], options);
    if (number >> options.bits != 0)
      return {};
    numbers[i] = static_cast<uint8_t>(number);
  }
  return numbers;
}
/// What becomes of a number where the bits of each byte are reversed.
inline uint8_t reversed_bits(uint8_t number, uint32_t bits) {
  uint32_t reversed = 0;
  for (uint32_t b = 0; b < bits; ++b)
    reversed |= (number >> b & 1u) << (bits - 1 - b);
  return static_cast<uint8_t>(reversed);
}

} // namespace colonnade::detail

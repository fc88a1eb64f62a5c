//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// packed_string_cases.hpp: texts of characters of 1, 2 or 4 bits and patterns that tests of both
// tiers use, and where a pattern is, the simple way.
//
// In: a random generator. Out: cases. Invariant: the same generator gives the same cases.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "string_cases.hpp"

#include <colonnade/host_string_matching_packed.hpp>

namespace colonnade::testing {

/// Characters are numbers, below 2^bits.
struct packed_case {
  packed_options options;
  string_case characters;
  std::vector<unknown_characters> unknown;

  std::vector<uint8_t> text() const { return host_pack(characters.text, options); }
};

/// Not by packed words: by bytes, of which those that are not known are no character.
inline std::vector<uint64_t> naive_matches(const packed_case &c) {
  string_case bytes = c.characters;
  for (const unknown_characters &u : c.unknown)
    for (uint64_t i = u.begin; i < u.begin + u.length; ++i)
      bytes.text[i] = 0xff;
  return bytes.pattern.size() > bytes.text.size() ? std::vector<uint64_t>{} : naive_matches(bytes);
}

/// Sorted, none empty, within n characters.
inline std::vector<unknown_characters> some_unknown(uint64_t n, std::mt19937 &random) {
  std::vector<unknown_characters> unknown;
  const uint32_t apart = random() % 2 ? 100 : 1000;
  for (uint64_t at = random() % apart; at < n; at += random() % apart) {
    const uint64_t length = std::min<uint64_t>(n - at, 1 + random() % (random() % 2 ? 3 : 60));
    unknown.push_back({at, length});
    at += length;
  }
  return unknown;
}

inline packed_options some_packing(std::mt19937 &random) {
  return {1u << random() % 3, packed_letters::numbers,
          random() % 2 ? packed_order::lowest_bits_first : packed_order::highest_bits_first};
}
inline packed_case random_packed_case(uint64_t most_text, uint64_t most_pattern,
                                      std::mt19937 &random) {
  packed_case c{some_packing(random), random_case(most_text, most_pattern, random), {}};
  c.characters.fold_case = false;
  for (std::vector<uint8_t> *characters : {&c.characters.text, &c.characters.pattern})
    for (uint8_t &character : *characters)
      character &= (1u << c.options.bits) - 1;
  if (random() % 3 == 0)
    c.unknown = some_unknown(c.characters.text.size(), random);
  return c;
}

} // namespace colonnade::testing

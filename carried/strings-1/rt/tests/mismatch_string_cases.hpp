//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mismatch_string_cases.hpp: texts and patterns with mismatches that tests of both tiers use.
//
// In: a random generator. Out: cases. Invariant: the same generator gives the same cases.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "string_cases.hpp"

#include <colonnade/host_string_matching_mismatches.hpp>
#include <colonnade/string_matching_mismatches_options.hpp>

namespace colonnade::testing {

struct mismatch_case {
  std::vector<uint8_t> text, pattern;
  uint32_t most = 0; // mismatches
  mismatch_options options;
};

inline std::vector<mismatch_match> right_matches(const mismatch_case &c) {
  return host_find_mismatches(c.text.data(), c.text.size(), c.pattern.data(), c.pattern.size(),
                              c.most, c.options.fold_case);
}
inline bool can_have_pieces(const mismatch_case &c) { return c.pattern.size() >= 7 * (c.most + 1); }

/// A copy of the pattern with so many bytes changed, or one less where it takes the same one twice.
inline void put_mismatched(mismatch_case &c, uint64_t at, uint32_t changed, std::mt19937 &random) {
  std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + static_cast<int64_t>(at));
  for (uint32_t i = 0; i < changed; ++i)
    c.text[at + random() % c.pattern.size()] ^= static_cast<uint8_t>(1u << random() % 8);
}

/// Most patterns are what lies somewhere in the text; copies with k - 1 to k + 1 mismatches lie at
/// random places, across rows, steps and segments.
inline mismatch_case random_mismatch_case(uint64_t most_text, std::mt19937 &random) {
  constexpr uint32_t alphabets[] = {2, 4, 20, 256};
  mismatch_case c;
  const auto kind = random() % 2 ? text_kind::random : static_cast<text_kind>(random() % 4);
  const uint32_t alphabet = alphabets[random() % 4];
  c.text = some_text(1 + random() % most_text, kind, alphabet, random);
  const uint64_t longest = random() % 2 ? 16 : random() % 8 ? 100 : 1000;
  const uint64_t length = 1 + random() % std::min<uint64_t>(longest, c.text.size());
  const uint64_t room = c.text.size() - length + 1;
  c.pattern = some_text(length, text_kind::random, 256, random);
  if (random() % 8) {
    const auto from = c.text.begin() + static_cast<int64_t>(random() % room);
    c.pattern.assign(from, from + static_cast<int64_t>(length));
  }
  c.most = static_cast<uint32_t>(random() % std::min<uint64_t>(length, most_mismatches_of_all + 1));
  c.options.fold_case = random() % 4 == 0;
  if (c.options.fold_case) { // letters, and what differs from them in the same bit
    for (uint8_t &b : c.text)
      b = static_cast<uint8_t>((b & 0x5f) | (random() & 0x20));
    for (uint8_t &b : c.pattern)
      b = static_cast<uint8_t>((b & 0x5f) | (random() & 0x20));
  }
  const uint32_t method = random() % 3;
  c.options.method = method == 0                         ? mismatch_method::automatic
                     : method == 1 && can_have_pieces(c) ? mismatch_method::pieces
                                                         : mismatch_method::counting;
  for (uint32_t copies = random() % 20; copies > 0; --copies)
    put_mismatched(c, random() % room, c.most + random() % 3, random);
  return c;
}

} // namespace colonnade::testing

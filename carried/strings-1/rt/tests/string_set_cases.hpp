//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_set_cases.hpp: texts and sets of patterns that tests of both tiers use, and where the
// patterns are, the simple way.
//
// In: a random generator. Out: cases. Invariant: the same generator gives the same cases.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "string_cases.hpp"

#include <colonnade/string_matching_sets_options.hpp>

namespace colonnade::testing {

struct string_set_case {
  std::vector<uint8_t> text;
  std::vector<std::vector<uint8_t>> patterns;
  bool fold_case = false;

  /// As creation takes them.
  std::vector<set_pattern> given() const {
    std::vector<set_pattern> all;
    for (const auto &pattern : patterns)
      all.push_back({pattern.data(), pattern.size()});
    return all;
  }
};

inline std::vector<set_match> naive_matches(const string_set_case &c) {
  std::vector<set_match> all;
  for (uint32_t i = 0; i < c.patterns.size(); ++i)
    for (const uint64_t position : naive_matches(string_case{c.text, c.patterns[i], c.fold_case}))
      all.push_back({position, i});
  std::sort(all.begin(), all.end());
  return all;
}

/// Lengths from `shortest` on, most of them up to 12. Of the patterns most are drawn from the text,
/// some with one byte changed; some are prefixes of others, or equal to them, with or without more
/// bytes.
inline string_set_case random_set_case(uint64_t most_text, uint64_t most_pattern,
                                       uint32_t most_patterns, std::mt19937 &random) {
  constexpr uint32_t alphabets[] = {2, 4, 20, 256};
  string_set_case c;
  const uint32_t alphabet = alphabets[random() % 4];
  const auto kind = random() % 2 ? text_kind::random : static_cast<text_kind>(random() % 4);
  c.text = some_text(random() % (most_text + 1), kind, alphabet, random);
  const uint64_t shortest = random() % 2 ? 1 : 4 + random() % 6; // long ones alone, often
  const bool all_short = random() % 6 == 0;
  const auto some_length = [&] {
    if (all_short)
      return uint64_t{1} + random() % 6;
    return std::min(most_pattern,
                    shortest + (random() % 3 ? random() % 9 : random() % most_pattern));
  };
  for (uint64_t left = 1 + random() % most_patterns; left > 0; --left) {
    const uint64_t length = some_length();
    std::vector<uint8_t> pattern = some_text(length, kind, alphabet, random);
    const uint32_t way = random() % 8;
    if (way < 2 && !c.patterns.empty()) {
      pattern = c.patterns[random() % c.patterns.size()];
      if (way == 0 && pattern.size() > length)
        pattern.resize(length);
      else if (random() % 2)
        pattern.push_back(c.text.empty() ? uint8_t{7} : c.text[random() % c.text.size()]);
    } else if (way < 7 && length <= c.text.size()) {
      const auto from =
          c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - length + 1));
      pattern.assign(from, from + static_cast<int64_t>(length));
      if (random() % 4 == 0)
        pattern[random() % length] ^= 1;
    }
    c.patterns.push_back(std::move(pattern));
  }
  if (random() % 3 == 0) { // letters, and what differs from them in the same bit
    c.fold_case = true;
    const auto respell = [&](std::vector<uint8_t> &bytes) {
      for (uint8_t &b : bytes)
        b = static_cast<uint8_t>((b & 0x5f) | (random() & 0x20));
    };
    respell(c.text);
    for (auto &pattern : c.patterns)
      respell(pattern);
  }
  // More of them: at random, so that they lie across rows, steps and segments.
  for (uint64_t k = random() % 40; k > 0; --k) {
    const auto &pattern = c.patterns[random() % c.patterns.size()];
    if (pattern.size() <= c.text.size())
      std::copy(pattern.begin(), pattern.end(),
                c.text.begin() +
                    static_cast<int64_t>(random() % (c.text.size() - pattern.size() + 1)));
  }
  return c;
}

/// Rows with any number of matches, short and long patterns, runs of one character among them.
inline string_set_case dense_set_case(unsigned seed) {
  std::mt19937 random(seed);
  string_set_case c{dense_case(seed).text, {}};
  if (seed % 2)
    c.patterns.emplace_back(1, 'a');
  for (uint64_t k = 0; k < 30; ++k) {
    const auto length = static_cast<int64_t>(7 + random() % 40),
               from = static_cast<int64_t>(random() % (c.text.size() - 50));
    c.patterns.emplace_back(c.text.begin() + from, c.text.begin() + from + length);
  }
  for (const uint32_t length : {8, 9, 20, 40})
    c.patterns.emplace_back(length, 'b');
  return c;
}

} // namespace colonnade::testing

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_cases.hpp: texts and patterns that tests of both tiers use, and where a pattern is, the
// simple way.
//
// In: a random generator. Out: cases. Invariant: the same generator gives the same cases.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace colonnade::testing {

struct string_case {
  std::vector<uint8_t> text, pattern;
  bool fold_case = false;
};

inline std::vector<uint8_t> bytes_of(const std::string &text) { return {text.begin(), text.end()}; }

/// As `grep -o` has them if they are apart: none overlaps another.
inline std::vector<uint64_t> naive_search(const string_case &c, bool apart) {
  const auto lower = [&](const std::vector<uint8_t> &bytes) {
    std::string text(bytes.begin(), bytes.end());
    for (char &b : text)
      if (c.fold_case && b >= 'A' && b <= 'Z')
        b = static_cast<char>(b + ('a' - 'A'));
    return text;
  };
  const std::string text = lower(c.text), pattern = lower(c.pattern);
  std::vector<uint64_t> positions;
  for (size_t at = text.find(pattern); at != text.npos;
       at = text.find(pattern, at + (apart ? pattern.size() : 1)))
    positions.push_back(at);
  return positions;
}
inline std::vector<uint64_t> naive_matches(const string_case &c) { return naive_search(c, false); }
inline std::vector<uint64_t> naive_apart(const string_case &c) { return naive_search(c, true); }

/// thue_morse: bit i is the parity of i.
enum class text_kind { random, periodic, fibonacci, thue_morse, one_character };

inline std::vector<uint8_t> some_text(uint64_t n, text_kind kind, uint32_t alphabet,
                                      std::mt19937 &random) {
  std::vector<uint8_t> text(n);
  if (kind == text_kind::fibonacci) {
    std::string before = "b", word = "a";
    while (word.size() < n) {
      const std::string longer = word + before;
      before = word;
      word = longer;
    }
    for (uint64_t i = 0; i < n; ++i)
      text[i] = static_cast<uint8_t>(word[i]);
    return text;
  }
  if (kind == text_kind::thue_morse) {
    for (uint64_t i = 0; i < n; ++i)
      text[i] = __builtin_parityll(i) ? 'b' : 'a';
    return text;
  }
  const uint64_t period = kind == text_kind::one_character ? 1
                          : kind == text_kind::periodic    ? 1 + random() % 20
                                                           : n;
  const uint32_t lowest = random() % (257 - alphabet);
  for (uint64_t i = 0; i < n; ++i)
    text[i] = i < period ? static_cast<uint8_t>(lowest + random() % alphabet) : text[i - period];
  if (kind == text_kind::periodic && n) // now and then the period is broken
    for (uint64_t i = random() % 300; i < n; i += 1 + random() % 600)
      text[i] = static_cast<uint8_t>(lowest + random() % alphabet);
  return text;
}

/// Half of the patterns are drawn from the text, some of these with one byte changed.
inline string_case random_case(uint64_t most_text, uint64_t most_pattern, std::mt19937 &random) {
  constexpr uint32_t alphabets[] = {2, 4, 20, 256};
  string_case c;
  const uint32_t alphabet = alphabets[random() % 4];
  const auto kind = random() % 2 ? text_kind::random : static_cast<text_kind>(random() % 4);
  c.text = some_text(random() % (most_text + 1), kind, alphabet, random);
  const uint64_t length =
      1 + (random() % 2 ? random() % 12 : random() % most_pattern) % most_pattern;
  if (length > c.text.size() || random() % 4 == 0) {
    c.pattern = some_text(length, kind, alphabet, random);
    return c;
  }
  const auto from = c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - length + 1));
  c.pattern.assign(from, from + static_cast<int64_t>(length));
  if (random() % 4 == 0)
    c.pattern[random() % length] ^= 1;
  if (random() % 3 == 0) { // letters, and what differs from them in the same bit
    c.fold_case = true;
    for (uint64_t k = 0; k < c.text.size(); ++k)
      c.text[k] = static_cast<uint8_t>((c.text[k] & 0x5f) | (random() & 0x20));
    for (uint64_t k = 0; k < length; ++k)
      c.pattern[k] = static_cast<uint8_t>((c.pattern[k] & 0x5f) | (random() & 0x20));
  }
  // More of them: at random, so that they lie across rows, steps and segments.
  for (uint64_t k = random() % 20; k > 0; --k)
    std::copy(c.pattern.begin(), c.pattern.end(),
              c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - length + 1)));
  return c;
}

/// Rows with few matches and with many beside each other, up to a match at every position.
inline string_case dense_case(unsigned seed) {
  std::mt19937 random(seed);
  string_case c{std::vector<uint8_t>(600 + random() % 6000), {}};
  uint32_t rarity = 1;
  for (uint64_t i = 0; i < c.text.size(); ++i) {
    if (i % 512 == 0)
      rarity = 1 + random() % (random() % 2 ? 4 : 64);
    c.text[i] = random() % rarity == 0 ? 'a' : 'b';
  }
  c.pattern.assign(1 + random() % 4, 'a');
  return c;
}

/// Patterns that overlap themselves: a piece of the text and its beginning again.
inline string_case overlapping_case(uint64_t n, std::mt19937 &random) {
  string_case c;
  const auto kind = static_cast<text_kind>(random() % 4);
  c.text = some_text(n, kind, random() % 2 ? 2 : 4, random);
  const uint64_t half = 1 + random() % (random() % 2 ? 6 : 300);
  const auto from = c.text.begin() + static_cast<int64_t>(random() % (n - half));
  c.pattern.assign(from, from + static_cast<int64_t>(half));
  const uint64_t more = 1 + random() % half;
  for (uint64_t i = 0; i < more; ++i)
    c.pattern.push_back(c.pattern[i]);
  for (uint64_t copies = random() % 20; copies > 0; --copies) { // some of them across others
    const uint64_t at = random() % (n - 2 * half);
    std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + static_cast<int64_t>(at));
    if (random() % 2 && at + 2 * half + more <= n)
      std::copy(c.pattern.begin(), c.pattern.end(),
                c.text.begin() + static_cast<int64_t>(at + half));
  }
  return c;
}

} // namespace colonnade::testing

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// class_string_cases.hpp: texts and patterns of character classes that tests of both tiers use, and
// where the patterns are, the simple way.
//
// In: a random generator. Out: cases. Invariant: the same generator gives the same cases.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "string_cases.hpp"

#include <bitset>

namespace colonnade::testing {

struct class_case {
  std::vector<uint8_t> text;
  std::vector<std::bitset<256>> classes;
  std::string expression; // of these classes
};

inline std::vector<uint64_t> naive_matches(const class_case &c) {
  std::vector<uint64_t> positions;
  for (uint64_t at = 0; at + c.classes.size() <= c.text.size(); ++at) {
    bool same = true;
    for (uint64_t j = 0; j < c.classes.size() && same; ++j)
      same = c.classes[j][c.text[at + j]];
    if (same)
      positions.push_back(at);
  }
  return positions;
}

/// Any byte, behind a backslash if it means something else without.
inline std::string quoted(uint32_t byte, std::mt19937 &random) {
  const char c = static_cast<char>(byte);
  const bool special = c == '.' || c == '[' || c == ']' || c == '\\' || c == '-' || c == '^';
  return special || random() % 8 == 0 ? std::string("\\") + c : std::string(1, c);
}
/// A class with this byte, and how it is written.
inline std::bitset<256> class_around(uint8_t byte, std::string &expression, std::mt19937 &random) {
  std::bitset<256> all;
  switch (random() % 8) {
  case 0:
    expression += ".";
    return all.set();
  case 1: { // a range, and one more
    const uint32_t first = byte - random() % (byte + 1u), last = byte + random() % (256u - byte),
                   other = random() % 256;
    expression +=
        "[" + quoted(first, random) + "-" + quoted(last, random) + quoted(other, random) + "]";
    for (uint32_t b = first; b <= last; ++b)
      all.set(b);
    return all.set(other);
  }
  case 2: { // all but two
    const uint32_t one = byte ^ (1 + random() % 255), other = byte ^ 1;
    expression += "[^" + quoted(one, random) + quoted(other, random) + "]";
    all.set();
    return all.reset(one).reset(other);
  }
  case 3:
    expression += "[" + quoted(byte ^ 1u, random) + quoted(byte, random) + "]";
    return all.set(byte).set(byte ^ 1u);
  default:
    expression += quoted(byte, random);
    return all.set(byte);
  }
}

/// Most patterns are what lies somewhere in the text, or it with one byte changed.
inline class_case random_class_case(uint64_t most_text, std::mt19937 &random) {
  constexpr uint32_t alphabets[] = {2, 4, 20, 256};
  class_case c;
  const auto kind = random() % 2 ? text_kind::random : static_cast<text_kind>(random() % 4);
  c.text = some_text(random() % (most_text + 1), kind, alphabets[random() % 4], random);
  const uint64_t length = 1 + random() % (random() % 2 ? 8 : 64);
  std::vector<uint8_t> pattern = some_text(length, text_kind::random, 256, random);
  if (length <= c.text.size() && random() % 8) {
    const auto from =
        c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - length + 1));
    pattern.assign(from, from + static_cast<int64_t>(length));
    if (random() % 4 == 0)
      pattern[random() % length] ^= 1;
    for (uint64_t k = random() % 20; k > 0; --k)
      std::copy(pattern.begin(), pattern.end(),
                c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - length + 1)));
  }
  for (const uint8_t byte : pattern)
    c.classes.push_back(class_around(byte, c.expression, random));
  return c;
}

} // namespace colonnade::testing

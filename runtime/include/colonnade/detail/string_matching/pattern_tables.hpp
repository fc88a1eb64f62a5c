//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pattern_tables.hpp: what is computed from a pattern once, when its matcher is created, so that
// places of it can be told from others without comparing all of it.
//
// In: a pattern in host memory, letters in small ones if case is folded. Out: how far it agrees
// with itself; its sketch. Invariant: pattern[i] == pattern[distance + i] for each i below
// agreeing[distance], and not for that one, if there is such a character.
//
// Source: D. Gusfield, Algorithms on strings, trees and sequences (1997), 1.4: the Z algorithm.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>

#include <algorithm>
#include <vector>

namespace colonnade::detail {

/// Of each distance below the length: how many characters of the pattern from there on are as it
/// begins. Work: linear.
template <class Character>
std::vector<uint32_t> agreeing_lengths(const Character *pattern, uint64_t length) {
  std::vector<uint32_t> agreeing(length);
  agreeing[0] = static_cast<uint32_t>(length);
  uint64_t begin = 0, end = 0; // of the part that agrees and reaches farthest
  for (uint64_t distance = 1; distance < length; ++distance) {
    uint64_t same =
        distance < end ? std::min<uint64_t>(agreeing[distance - begin], end - distance) : 0;
    while (distance + same < length && pattern[same] == pattern[distance + same])
      ++same;
    agreeing[distance] = static_cast<uint32_t>(same);
    if (distance + same > end)
      begin = distance, end = distance + same;
  }
  return agreeing;
}

/// Of the bit that is set in the most nearly half of the characters; never that of case, which a
/// text may have either way. Short patterns have one if they are of two letters, as the text may be
/// then; in other texts a bit each of a few characters is often the same.
template <class Character>
pattern_sketch sketch_of(const Character *pattern, uint64_t length, uint32_t fold) {
  const uint64_t characters = std::min<uint64_t>(length, 32);
  const auto other =
      std::find_if(pattern, pattern + characters, [&](Character c) { return c != pattern[0]; });
  const bool two_letters = std::all_of(other, pattern + characters,
                                       [&](Character c) { return c == pattern[0] || c == *other; });
  pattern_sketch best{};
  if (characters < 16 && !two_letters)
    return best;
  uint64_t least = ~uint64_t{0};
  for (uint32_t bit = 0; bit < 8; ++bit) {
    if (fold >> bit & 1)
      continue;
    pattern_sketch sketch{0, characters < 32 ? (1u << characters) - 1 : ~0u, bit};
    uint64_t ones = 0;
    for (uint64_t i = 0; i < characters; ++i) {
      const uint32_t one = pattern[i] >> bit & 1;
      sketch.bits |= one << i;
      ones += one;
    }
    const uint64_t uneven = std::max(ones, characters - ones);
    if (uneven < least)
      least = uneven, best = sketch;
  }
  return best;
}

} // namespace colonnade::detail

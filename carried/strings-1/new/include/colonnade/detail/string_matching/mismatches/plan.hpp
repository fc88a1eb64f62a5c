//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// plan.hpp: how a pattern is looked for that may have mismatches: by which pieces of it, or by
// counting from which byte on.
//
// In: a pattern, in lower case where case is folded; k. Out: a plan. Invariant: the plan's part is
// within the pattern. Of k + 1 pieces that do not overlap at least one is exactly in any place with
// k mismatches (the pigeonhole principle); pieces need not cover the pattern.
//
// Source: R. Baeza-Yates, C. Perleberg, Fast and practical approximate string matching (1992).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/mismatches/job.hpp>
#include <colonnade/detail/string_matching/packed/skim.hpp>
#include <colonnade/string_matching_mismatches_options.hpp>

#include <algorithm>
#include <bitset>
#include <vector>

namespace colonnade::detail {

constexpr bool has_pieces(uint64_t length, uint32_t most) {
  return length >= piece_bytes * (most + 1);
}

/// Whether a matcher can be made of this.
inline bool valid_mismatches(uint64_t length, uint32_t most, mismatch_method method) {
  return most < length && most <= most_mismatches_of_all &&
         (method != mismatch_method::pieces || has_pieces(length, most));
}

struct mismatch_plan {
  uint64_t offset = 0;
  uint32_t part = 0;
  std::vector<mismatch_unit> units; // none: mismatches are counted

  mismatch_plan(const uint8_t *pattern, uint64_t length, uint32_t most, uint32_t fold,
                mismatch_method method) {
    if (method != mismatch_method::counting && has_pieces(length, most)) {
      part = piece_bytes * (most + 1);
      offset = best_place(pattern, length, [this](const uint8_t *at) { return variety(at); });
      if (method == mismatch_method::pieces || is_varied(pattern + offset)) {
        add_units(pattern + offset, fold);
        return;
      }
    }
    part = static_cast<uint32_t>(std::min<uint64_t>(length, most_counted));
    offset = best_place(pattern, length, [this](const uint8_t *at) { return different(at, part); });
  }

private:
  static uint32_t different(const uint8_t *bytes, uint32_t count) {
    std::bitset<256> seen;
    for (uint32_t i = 0; i < count; ++i)
      seen.set(bytes[i]);
    return static_cast<uint32_t>(seen.count());
  }
  /// Where the part has the highest score; the first of several such places.
  template <class Score>
  uint64_t best_place(const uint8_t *pattern, uint64_t length, Score score) const {
    constexpr uint64_t most_places = 4096;
    const uint64_t places = std::min(length - part + 1, most_places);
    uint64_t best = 0;
    uint32_t highest = 0;
    for (uint64_t at = 0; at < places; ++at)
      if (const uint32_t here = score(pattern + at); here > highest)
        highest = here, best = at;
    return best;
  }
  /// each(offset) of all units.
  template <class Each> void each_unit(Each each) const {
    for (uint32_t piece = 0; piece < part; piece += piece_bytes)
      for (uint32_t i = 0; i < units_per_piece; ++i)
        each(piece + i);
  }
  /// The unit with the fewest different bytes decides, then all of the part.
  uint32_t variety(const uint8_t *bytes) const {
    uint32_t fewest = 4;
    each_unit([&](uint32_t at) { fewest = std::min(fewest, different(bytes + at, 4)); });
    return 256 * fewest + different(bytes, part);
  }
  /// Whether the units are rare in the texts that such a pattern is looked for in. Not so where it
  /// is of words, or of few different bytes: texts repeat those, and each place is compared then
  /// (decision 0031).
  bool is_varied(const uint8_t *bytes) const {
    constexpr uint32_t in_unit = 3;
    const auto in_words = [](uint8_t c) {
      return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r');
    };
    return variety(bytes) >= 256 * in_unit && different(bytes, part) >= part * 3 / 4 &&
           !std::all_of(bytes, bytes + part, in_words);
  }
  void add_units(const uint8_t *bytes, uint32_t fold) {
    each_unit([&](uint32_t at) {
      uint32_t word = fold;
      for (uint32_t b = 0; b < 4; ++b)
        word |= uint32_t{bytes[at + b]} << 8 * b;
      const bool is_new = std::none_of(units.begin(), units.end(), [&](const mismatch_unit &u) {
        return unit_table::hash(u.word) == unit_table::hash(word);
      });
      units.push_back({word, static_cast<uint16_t>(at), uint16_t{is_new}});
    });
  }
};

} // namespace colonnade::detail

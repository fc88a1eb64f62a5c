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
      offset = most_different(pattern, length);
      if (method == mismatch_method::pieces || is_varied(pattern + offset)) {
        add_units(pattern + offset, most, fold);
        return;
      }
    }
    part = static_cast<uint32_t>(std::min<uint64_t>(length, most_counted));
    offset = most_different(pattern, length);
  }

private:
  static uint64_t different(const uint8_t *bytes, uint32_t count) {
    std::bitset<256> seen;
    for (uint32_t i = 0; i < count; ++i)
      seen.set(bytes[i]);
    return seen.count();
  }
  /// Where the part has the most different bytes; the first of several such places.
  uint64_t most_different(const uint8_t *pattern, uint64_t length) const {
    constexpr uint64_t most_places = 4096;
    const uint64_t places = std::min(length - part + 1, most_places);
    uint64_t best = 0, most = 0;
    for (uint64_t at = 0; at < places; ++at)
      if (const uint64_t here = different(pattern + at, part); here > most)
        most = here, best = at;
    return best;
  }
  /// Not so in DNA, or in runs of one byte: there many words of a text would be units.
  bool is_varied(const uint8_t *bytes) const {
    constexpr uint64_t in_part = 6, in_piece = 4;
    bool varied = different(bytes, part) >= in_part;
    for (uint32_t at = 0; at < part; at += piece_bytes)
      varied &= different(bytes + at, piece_bytes) >= in_piece;
    return varied;
  }
  void add_units(const uint8_t *bytes, uint32_t most, uint32_t fold) {
    for (uint32_t piece = 0; piece <= most; ++piece)
      for (uint32_t i = 0; i < units_per_piece; ++i) {
        const uint32_t at = piece * piece_bytes + i;
        uint32_t word = 0;
        for (uint32_t b = 0; b < 4; ++b)
          word |= uint32_t{bytes[at + b]} << 8 * b;
        units.push_back({word | fold, at});
      }
  }
};

} // namespace colonnade::detail

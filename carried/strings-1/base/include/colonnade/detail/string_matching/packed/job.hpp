//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// job.hpp: what the kernels of string matching are given besides, if characters are of 1, 2 or 4
// bits.
//
// In: a matching_job, whose positions, lengths and offsets are in characters, and whose pattern is
// words of characters, the lowest bits first; behind it there is one word more. Out: the part of
// it that is looked for, and the divisions of text words. Invariant: where a text has the highest
// bits first, the bits of each of its bytes are reversed when it is loaded, and the characters of
// the pattern, too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/string_matching_packed_options.hpp>

namespace colonnade::detail {

/// Of the text: 16 bits are skimmed for.
constexpr uint32_t part_bits = 16;

struct packed_job : matching_job {
  bool highest_first;
  /// Of the units of the text that are looked up in a table: 16 or 32, if the pattern has so many
  /// characters around the part; 0: the part is compared everywhere.
  uint32_t unit_bits;
  /// Of each character of the part: itself in all places of a word, and how far it is from the
  /// first one. If the pattern is shorter, others are the first one again.
  uint32_t part_words[part_bits], part_shifts[part_bits];
  const unknown_characters *unknown;
  uint64_t num_unknown;
};

template <uint32_t Bits> struct packed_shape {
  static constexpr uint32_t per_byte = 8 / Bits, per_word = 32 / Bits, per_part = part_bits / Bits,
                            row_windows = row_bytes * per_byte;
  static constexpr uint32_t lowest_bits = Bits == 1 ? ~0u : Bits == 2 ? 0x55555555u : 0x11111111u;
};

} // namespace colonnade::detail

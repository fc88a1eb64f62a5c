//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// filters.hpp: which four bytes of a text a set's patterns may be at: bits in shared memory.
//
//   units       of long patterns (7 bytes and more): the four bytes from their byte 0, 1, 2 and 3
//               on. Wherever an occurrence begins, one of these is at a multiple of 4, so only
//               such words of the text are looked up
//   beginnings  of long patterns: their first 7 bytes, or 8 if none has only 7. Asked at the four
//               positions around a word that units has
//   shorts      of short patterns: their first bytes, up to 4. Asked at every position
//
// In: words of bytes; where case is folded, the bit of case is set in all of them. Out: whether
// they may be in the set. Invariant: what was added is always found.
//
// Source: B. Bloom, Space/time trade-offs in hash coding with allowable errors (1970), with both
// bits of an element in one word.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// Patterns of so many bytes have an aligned word wherever they begin.
constexpr uint32_t least_long = 7;

/// Log2Words: 1 to 31.
template <uint32_t Log2Words> struct bit_filter {
  uint32_t words[1u << Log2Words];

  /// The lowest bit: whether both bits of these bytes are set.
  COLONNADE_HOST_DEVICE uint32_t has(uint32_t bytes) const {
    const uint64_t hash = spread(bytes);
    const uint32_t word = words[place(hash)], high = static_cast<uint32_t>(hash >> 32);
    return word >> (high & 31) & word >> (high >> 5 & 31);
  }
  /// The same with one bit.
  COLONNADE_HOST_DEVICE uint32_t has_one(uint32_t bytes) const {
    const uint64_t hash = spread(bytes);
    return words[place(hash)] >> (hash >> 32 & 31);
  }
  void add(uint32_t bytes) {
    const uint64_t hash = spread(bytes);
    words[place(hash)] |= 1u << (hash >> 32 & 31) | 1u << (hash >> 37 & 31);
  }
  void add_one(uint32_t bytes) {
    const uint64_t hash = spread(bytes);
    words[place(hash)] |= 1u << (hash >> 32 & 31);
  }

private:
  COLONNADE_HOST_DEVICE static uint64_t spread(uint32_t bytes) {
    return uint64_t{bytes} * 0x9e3779b1u;
  }
  COLONNADE_HOST_DEVICE static uint32_t place(uint64_t hash) {
    return static_cast<uint32_t>(hash) >> (32 - Log2Words);
  }
};

/// Of 7 or 8 bytes.
COLONNADE_HOST_DEVICE uint32_t mixed(uint32_t low, uint32_t high) {
  return low * 0x85ebca6bu + high;
}

/// Logarithms of words; 0: none. Halved, filters have half as many words: two neighbours become
/// one, with the bits of both.
template <uint32_t Units, uint32_t Beginnings, uint32_t Shorts> struct set_filters {
  static constexpr bool has_long = true, has_short = true;
  static constexpr uint32_t words = (1u << Units) + (1u << Beginnings) + (1u << Shorts);
  template <uint32_t Times> using halved = set_filters<Units - Times, Beginnings - Times, Shorts>;
  bit_filter<Units> units;
  bit_filter<Beginnings> beginnings;
  bit_filter<Shorts> shorts;
};
template <uint32_t Units, uint32_t Beginnings> struct set_filters<Units, Beginnings, 0> {
  static constexpr bool has_long = true, has_short = false;
  static constexpr uint32_t words = (1u << Units) + (1u << Beginnings);
  template <uint32_t Times> using halved = set_filters<Units - Times, Beginnings - Times, 0>;
  bit_filter<Units> units;
  bit_filter<Beginnings> beginnings;
};
template <uint32_t Shorts> struct set_filters<0, 0, Shorts> {
  static constexpr bool has_long = false, has_short = true;
  static constexpr uint32_t words = 1u << Shorts;
  template <uint32_t Times> using halved = set_filters;
  bit_filter<Shorts> shorts;
};

/// Of sets with long patterns, with short ones, and with both, in a set's memory. A block has them
/// in shared memory: at most 96 KB, or, halved, 64 KB, which every GPU has besides the queues.
using long_filters = set_filters<14, 13, 0>;
using mixed_filters = set_filters<14, 12, 12>;
using short_filters = set_filters<0, 0, 14>;

} // namespace colonnade::detail

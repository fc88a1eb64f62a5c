//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// anchors.hpp: patterns of a set are looked for by 8 of their bytes that are rare, their anchor,
// and short ones by all they have, all in shared memory.
//
// In: 8 bytes of the text. Out: the patterns of 4 to 7 bytes that begin there, and the chains of
// members whose anchor these bytes are. Invariant: every member of 8 bytes and more is in one
// chain, every shorter one is an entry, but those that are run_patterns (runs.hpp).
//
// A chain is members of which each is the parent of the next and which have the same anchor: the
// longest is compared, and how many bytes it has in common with the text says which of the others
// match.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/filters.hpp>
#include <colonnade/detail/string_matching/sets/resident.hpp>
#include <colonnade/detail/string_matching/sets/runs.hpp>
#include <colonnade/detail/string_matching/text.hpp>

#include <cstdint>

namespace colonnade::detail {

/// A chain, and where its anchor is in each of its members. Chains with one anchor follow each
/// other.
struct alignas(16) anchor_head {
  uint16_t member;  // the longest
  uint16_t above;   // patterns in the list of the shortest one's parent: they are not the chain's
  uint16_t offset;  // of the anchor, in bytes
  uint16_t follows; // whether another chain does
  // Of a chain of one member, if set_anchor has all of it: its length, and how many patterns match
  // where it does; else 0.
  uint16_t length, count;
};
/// As it lies in memory.
COLONNADE_HOST_DEVICE anchor_head head_of(const sixteen_bytes &v) {
  const auto low = [](uint32_t word) { return static_cast<uint16_t>(word); };
  return {low(v.word[0]),       low(v.word[0] >> 16), low(v.word[1]),
          low(v.word[1] >> 16), low(v.word[2]),       low(v.word[2] >> 16)};
}
struct alignas(64) set_anchor : anchor_head {
  static constexpr uint32_t most_bytes = 48;

  alignas(16) uint8_t bytes[most_bytes];
};
/// What is known of an anchor's key: where its first chain is, or, from here on, how many patterns
/// match, which are these 8 bytes.
constexpr uint32_t anchor_is_all(key_layout layout) { return layout.undecided() / 8 * 5; }
static_assert(anchor_is_all(resident_keys::layout()) > 10000); // chains are no more than patterns
/// Sets of no more chains have smaller tables, which leave the L1 cache more room for what is
/// compared.
using few_keys = key_table<12>;

/// A member of 4 to 7 bytes.
struct alignas(16) short_pattern {
  uint32_t low, high; // its bytes
  uint32_t mask;      // of those that it has of the fifth to eighth
  uint32_t count;     // equal patterns
};

/// The first four bytes of short patterns and of anchors, where there are short patterns: one
/// lookup for both.
struct first_fours {
  static constexpr uint32_t log2_words = 13;

  uint32_t words[1u << log2_words];

  /// The highest bit: whether a key or a short pattern may begin with these bytes.
  COLONNADE_KERNEL_CODE uint32_t ask(uint32_t bytes) const {
    const uint32_t word = words[place(bytes)];
    return turned(word, bytes);
  }
  void add(uint32_t bytes) { words[place(bytes)] |= 1u << (bytes + 31) % 32; }

private:
  COLONNADE_HOST_DEVICE static uint32_t place(uint32_t bytes) {
    return bytes * 0x9e3779b1u >> (32 - log2_words);
  }
};

/// Short members, as a block has them in shared memory.
struct short_patterns {
  static constexpr uint32_t log2_slots = 10, capacity = 1024, most_together = 32;

  // By a hash of the first four bytes: the first pattern, and 2^16 times how many there are.
  uint32_t slots[1u << log2_slots];
  short_pattern patterns[capacity];

  COLONNADE_HOST_DEVICE static uint32_t slot_of(uint32_t low) {
    return low * 0x85ebca6bu >> (32 - log2_slots);
  }
  /// How many patterns begin with 8 bytes of the text, of which `left` are the text's, 4 or more.
  COLONNADE_KERNEL_CODE uint32_t count(uint32_t low, uint32_t high, uint32_t left) const {
    const uint32_t slot = slots[slot_of(low)], beyond = left < 8 ? ~0u << 8 * (left - 4) : 0;
    uint32_t found = 0;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t i = slot & 0xffff, rest = slot >> 16; rest; ++i, --rest) {
      const sixteen_bytes of = *reinterpret_cast<const sixteen_bytes *>(patterns + i);
      if (((of.word[0] ^ low) | (((of.word[1] ^ high) | beyond) & of.word[2])) == 0)
        found += of.word[3];
    }
    return found;
  }
};

/// What a set has in device memory for this; anchors themselves are set_tables::anchor_keys.
/// Which patterns there are, which says what is to be asked.
enum class anchor_kind : uint8_t {
  eights, // all are 8 bytes, and keys say how many match: nothing is compared
  longer, // of 8 bytes and more
  mixed   // some have 4 to 7
};

struct anchor_tables {
  const set_anchor *anchors;  // null: the set has none of these tables
  const uint32_t *beginnings; // words of first_fours
  const short_patterns *shorts;
  const run_patterns *runs;
  anchor_kind kind;
  bool are_few; // keys: few_keys
};

} // namespace colonnade::detail

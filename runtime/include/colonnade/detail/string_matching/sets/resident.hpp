//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// resident.hpp: the keys of a set in shared memory, and a filter that is asked once for two
// neighbouring positions; of sets whose patterns all have 8 bytes and more.
//
//   pairs  the 7 bytes that the windows of two neighbouring positions have in common. One word of
//          the filter has a bit for each of the two positions
//   keys   the first 8 bytes of all members. Where one is, a hash says, moved by what the table of
//          displacements has for another hash: one place to look at
//
// In: 8 bytes from a position on; where case is folded, lower letters for keys, and the bit of case
// in all bytes for the filter. Out: what is known of the key with these bytes. Invariant: a key is
// found by its own bytes alone.
//
// Source: D. Belazzougui, F. Botelho, M. Dietzfelbinger, Hash, displace, and compress (2009).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/text.hpp>

#include <cstdint>

namespace colonnade::detail {

/// Both hashes together are as good as the bytes: from the first and the low word follows the high
/// one, from the first and the second the low one.
struct key_hashes {
  uint32_t first, second;
};
struct key_multipliers {
  uint32_t low, high, again, first; // all odd
};
COLONNADE_HOST_DEVICE key_hashes hashes_of(const key_multipliers &by, uint32_t low, uint32_t high) {
  const uint32_t first = low * by.low + high * by.high;
  return {first, low * by.again + (first >> 15) * by.first};
}

/// What is known of a key takes as many bits as say which slot.
struct alignas(8) resident_key {
  uint32_t first;  // hash
  uint32_t second; // what the slot does not say of the second hash; above, what is known
};
/// Where keys are, in a table of so many slots.
struct key_layout {
  uint32_t log2_slots;

  COLONNADE_HOST_DEVICE constexpr uint32_t log2_displacements() const { return log2_slots - 2; }
  COLONNADE_HOST_DEVICE constexpr uint32_t known_from() const { return 32 - log2_slots; }
  COLONNADE_HOST_DEVICE constexpr uint32_t remainder() const { return (1u << known_from()) - 1; }
  /// Not known: several members have these bytes, or one that goes on behind them; or there is
  /// none.
  COLONNADE_HOST_DEVICE constexpr uint32_t undecided() const { return (1u << log2_slots) - 1; }

  COLONNADE_HOST_DEVICE uint32_t displacement_of(const key_hashes &hashes) const {
    return hashes.first >> (32 - log2_displacements());
  }
  /// Whose highest bits are the slot.
  COLONNADE_HOST_DEVICE uint32_t moved(const key_hashes &hashes, uint32_t displacement) const {
    return hashes.second + displacement * (0x9e5u << (32 - log2_slots));
  }
  COLONNADE_HOST_DEVICE uint32_t slot_of(uint32_t moved) const {
    return moved >> (32 - log2_slots);
  }
};

/// What a set has in device memory for this.
struct resident_tables {
  const uint32_t *pairs;                 // pair_filter
  const uint8_t *displacements;          // null: the set has none of these tables
  const resident_key *counted, *members; // known is how many patterns match, or which member it is
  key_multipliers multipliers;
  uint32_t has_undecided; // whether any key is
};

/// As a block has them.
template <uint32_t Log2Slots> struct key_table {
  static constexpr key_layout layout() { return {Log2Slots}; }

  resident_key keys[1u << Log2Slots];
  uint8_t displacements[1u << layout().log2_displacements()];

  /// What is known of the key with these bytes; false if there is none.
  COLONNADE_KERNEL_CODE bool find(const key_multipliers &by, uint32_t low, uint32_t high,
                                  uint32_t &known) const {
    constexpr key_layout at{Log2Slots};
    const key_hashes hashes = hashes_of(by, low, high);
    const uint32_t second = at.moved(hashes, displacements[at.displacement_of(hashes)]);
    const resident_key key = keys[at.slot_of(second)];
    known = key.second >> at.known_from();
    return ((key.first ^ hashes.first) | ((key.second ^ second) & at.remainder())) == 0;
  }
};
using resident_keys = key_table<14>;

/// Asked for two neighbouring positions at once, by the 7 bytes that their windows of 8 share.
struct pair_filter {
  static constexpr uint32_t log2_words = 13;

  uint32_t words[1u << log2_words];

  /// The two highest bits: whether a key may begin at the first position, and at the second one,
  /// which is the highest. low, high: bytes 1 to 4, and 4 to 7, of the first window.
  COLONNADE_KERNEL_CODE uint32_t ask(uint32_t low, uint32_t high) const {
    const uint32_t hash = hash_of(low, high), word = words[hash >> (32 - log2_words)];
    return turned(word, hash);
  }
  /// A key.
  void add(uint64_t bytes) {
    for (uint32_t i = 0; i < 2; ++i) {
      const uint64_t shared = i == 0 ? bytes >> 8 : bytes;
      const uint32_t hash =
          hash_of(static_cast<uint32_t>(shared), static_cast<uint32_t>(shared >> 24));
      words[hash >> (32 - log2_words)] |= 1u << (hash + 30 + i) % 32;
    }
  }

private:
  /// Its highest bits say which word, its lowest ones which bits: these take no instruction.
  COLONNADE_HOST_DEVICE static uint32_t hash_of(uint32_t low, uint32_t high) {
    return low * 0x85ebca6bu + high * 0x9e3779b1u;
  }
};

} // namespace colonnade::detail

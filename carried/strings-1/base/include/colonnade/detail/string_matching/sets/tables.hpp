//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tables.hpp: a set of patterns in device memory, as kernels see it.
//
//   members  the different patterns, in lexicographic order. All members that are prefixes of one
//            of them form a chain of parents; its list has the numbers of all patterns of that
//            chain, ascending
//   keys     the first 8 bytes of members, or all of them, if they have less; a key of 8 bytes
//            stands for several members, which are neighbours
//   steps    from several members that agree in 8, 16, … bytes to those that agree in 8 more, or
//            to one that ends before
//   openings where members of all lengths begin with the same bytes (as many as `shorts` asks for):
//            which lengths keys with these bytes have; they lie among the keys
//
// In: what build.hpp has made. Out: types. Invariant: bytes are in lower case where case is folded.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/input_chunk.hpp>
#include <colonnade/detail/compiler.hpp>
#include <colonnade/detail/string_matching/sets/anchors.hpp>
#include <colonnade/detail/string_matching/sets/resident.hpp>

#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t no_member = 0xffff;

struct alignas(16) set_member {
  uint32_t place;       // of its bytes, in 16 bytes
  uint32_t list;        // where its list begins
  uint16_t length_less; // one less than its length
  uint16_t count;       // of its list
  uint16_t parent;      // its longest proper prefix among the members, or no_member
  uint16_t jump;        // one of the chain from there on, or no_member (see ancestor)

  COLONNADE_HOST_DEVICE uint32_t length() const { return length_less + 1u; }
};

struct alignas(16) set_key {
  static constexpr uint8_t opening = 9;

  uint64_t bytes;       // the first lowest
  uint16_t first, last; // members; of an opening: first is the lengths of keys (bit_of_length)
  uint8_t length;       // 1 to 8, or `opening`; 0: free
  uint8_t follow;       // lengths of steps from here (bit_of_length)
  uint16_t count;       // of the only member's list if it has no bytes but these; else 0
};
/// As it lies in memory.
COLONNADE_HOST_DEVICE set_key key_of(const sixteen_bytes &v) {
  return {v.word[0] | uint64_t{v.word[1]} << 32,  static_cast<uint16_t>(v.word[2]),
          static_cast<uint16_t>(v.word[2] >> 16), static_cast<uint8_t>(v.word[3]),
          static_cast<uint8_t>(v.word[3] >> 8),   static_cast<uint16_t>(v.word[3] >> 16)};
}

/// From the members that begin with `parent` and agree in depth bytes.
struct alignas(16) set_step {
  uint64_t bytes;       // the next ones, the first lowest
  uint16_t parent;      // the first member that steps come from
  uint16_t first, last; // members: one if length < 8
  uint8_t length_depth; // length: 1 to 8, and 16 times an eighth of the depth; 0: free
  uint8_t follow;       // as in set_key

  COLONNADE_HOST_DEVICE uint32_t length() const { return length_depth & 15; }
};
COLONNADE_HOST_DEVICE set_step step_of(const sixteen_bytes &v) {
  return {v.word[0] | uint64_t{v.word[1]} << 32,  static_cast<uint16_t>(v.word[2]),
          static_cast<uint16_t>(v.word[2] >> 16), static_cast<uint16_t>(v.word[3]),
          static_cast<uint8_t>(v.word[3] >> 16),  static_cast<uint8_t>(v.word[3] >> 24)};
}
/// Members that agree in so many bytes have no steps; they are searched.
constexpr uint32_t deepest_step = 64;
COLONNADE_HOST_DEVICE uint8_t length_and_depth(uint32_t length, uint32_t depth) {
  return static_cast<uint8_t>(length | depth << 1);
}

/// Not 0 for most. what: tells keys and steps with the same bytes apart.
COLONNADE_HOST_DEVICE uint32_t hash_of_key(uint64_t bytes, uint32_t what) {
  uint32_t hash = static_cast<uint32_t>(bytes) * 0x9e3779b1u +
                  static_cast<uint32_t>(bytes >> 32) * 0x85ebca6bu + what * 0xc2b2ae35u;
  hash ^= hash >> 15;
  return hash * 0x2c1b3c6du;
}

/// Which lengths keys have: bit 8 - length, so that the first one is the longest.
COLONNADE_HOST_DEVICE uint32_t bit_of_length(uint32_t length) { return 1u << (8 - length); }

struct set_tables {
  const uint32_t *filters; // of the kernel's kind
  const set_key *keys;     // 2^(32 - key_shift), by the highest bits of their hashes, then onwards
  const set_step *steps;   // 2^(32 - step_shift), in the same way
  const set_member *members;
  const uint8_t *bytes; // of each member from a multiple of 16 on; 16 bytes behind them can be read
  const uint16_t *lists;
  uint32_t key_shift, key_lengths;
  uint32_t step_shift;
  uint32_t opening_mask;   // of the bytes that openings have; 0: there are none
  uint32_t fold;           // case_bits, or 0
  uint32_t beginning_mask; // of the fifth to eighth byte that beginnings has
  uint32_t short_mask;     // of the bytes that shorts has
  uint32_t num_members, num_patterns;
  resident_tables resident;
  anchor_tables anchored;
  resident_tables anchor_keys; // without members
};

} // namespace colonnade::detail

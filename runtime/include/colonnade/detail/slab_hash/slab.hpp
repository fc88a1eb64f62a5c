//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab.hpp: what stands in a slab, and what each of its words means.
//
// A slab is 128 bytes: 16 words of 64 bits. Words 0 to 14 are slots, word 15 is the link to the
// next slab of the chain. The low half of a word is a key, the high half a value:
//
//   open        (empty key, all ones)        nothing was ever here
//   live        (key, value)
//   tombstone   (tombstone key, key)         the key was erased; its value is gone
//   link        (empty key, next slab)       all ones: the chain ends here
//
// In: keys and values of 32 bits, and two keys that are reserved. Out: words, and what they mean.
// Invariant: an open word becomes live once; from then on the slot belongs to that key, live or as
// a tombstone. An open link is the same word as an open slot, so a slab of which every word is open
// is an empty slab at the end of a chain, and "the first open word" of a full slab is its link.
//
// Source: S. Ashkiani, thesis (2017), sections 5.3.1 and 5.4.2. There a tombstone forgets its key.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace colonnade {

namespace detail {

constexpr uint32_t slab_words = 16, slab_slots = 15, link_word = 15, no_slab = ~0u;

struct alignas(128) slab {
  uint64_t words[slab_words];
};

/// The bits of a key or a value, and back.
template <class T> COLONNADE_HOST_DEVICE uint32_t slab_bits(const T &item) {
  static_assert(sizeof(T) == 4 && std::is_trivially_copyable_v<T>,
                "slab hash: keys and values are trivially copyable types of 32 bits");
  uint32_t bits;
  std::memcpy(&bits, &item, 4);
  return bits;
}
template <class T> COLONNADE_HOST_DEVICE T from_slab_bits(uint32_t bits) {
  T item;
  std::memcpy(&item, &bits, 4);
  return item;
}

} // namespace detail

/// Two keys are equal if their bits are: the default.
struct equal_bits {
  template <class Key> COLONNADE_HOST_DEVICE bool operator()(const Key &a, const Key &b) const {
    return detail::slab_bits(a) == detail::slab_bits(b);
  }
};

namespace detail {

COLONNADE_HOST_DEVICE uint32_t low_half(uint64_t word) { return static_cast<uint32_t>(word); }
COLONNADE_HOST_DEVICE uint32_t high_half(uint64_t word) {
  return static_cast<uint32_t>(word >> 32);
}
COLONNADE_HOST_DEVICE uint64_t both_halves(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}

template <class Key, class Equal> struct slab_format {
  uint32_t empty_key, tombstone_key; // bits; different
  Equal equal;

  COLONNADE_HOST_DEVICE uint64_t open() const { return both_halves(empty_key, ~0u); }
  COLONNADE_HOST_DEVICE uint64_t live(const Key &key, uint32_t value) const {
    return both_halves(slab_bits(key), value);
  }
  COLONNADE_HOST_DEVICE uint64_t tombstone(const Key &key) const {
    return both_halves(tombstone_key, slab_bits(key));
  }
  COLONNADE_HOST_DEVICE uint64_t link(uint32_t next) const { return both_halves(empty_key, next); }

  COLONNADE_HOST_DEVICE bool is_reserved(const Key &key) const {
    const uint32_t bits = slab_bits(key);
    return bits == empty_key || bits == tombstone_key;
  }
  /// An open slot, or a link to whatever.
  COLONNADE_HOST_DEVICE bool is_open(uint64_t word) const { return low_half(word) == empty_key; }
  COLONNADE_HOST_DEVICE bool is_tombstone(uint64_t word) const {
    return low_half(word) == tombstone_key;
  }
  /// Whether this is `key`, live. `key` is not reserved.
  COLONNADE_HOST_DEVICE bool is_live(uint64_t word, const Key &key) const {
    if constexpr (std::is_same_v<Equal, equal_bits>)
      return low_half(word) == slab_bits(key);
    else // the user's function is not asked about reserved keys
      return !is_open(word) && !is_tombstone(word) &&
             equal(from_slab_bits<Key>(low_half(word)), key);
  }
  /// Whether the slot belongs to `key`, live or as a tombstone.
  COLONNADE_HOST_DEVICE bool belongs(uint64_t word, const Key &key) const {
    if constexpr (std::is_same_v<Equal, equal_bits>)
      return is_live(word, key) || word == tombstone(key);
    else
      return is_live(word, key) ||
             (is_tombstone(word) && equal(from_slab_bits<Key>(high_half(word)), key));
  }
};

} // namespace detail

} // namespace colonnade

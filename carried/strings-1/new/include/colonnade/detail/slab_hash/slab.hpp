//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab.hpp: what stands in a slab, and what each of its words means.
//
// A slab is 128 bytes: 16 words of 64 bits or, where a key or a value has 64, 8 words of 128. All
// but the last are slots; the last is the link to the next slab of the chain. The low half of a
// word is a key, the high half a value:
//
//   open        (empty key, all ones)        nothing was ever here
//   live        (key, value)                 value: 0 in a set
//   tombstone   (tombstone key, key)         the key was erased; its value is gone
//   free        (tombstone key, 0)           the tombstone of a multimap, which keeps no key
//   link        (empty key, next slab)       all ones: the chain ends here
//
// Where the halves have 64 bits, the other 32 bits of a link are a filter: each stands for a 32nd
// of all hashes, and is set before a key with such a hash is put behind the link.
//
// In: keys and values of 32 or 64 bits, and two keys that are reserved. Out: words, and what they
// mean. Invariant: an open word becomes live once and never opens again; where keys are unique the
// slot then belongs to that key, live or as a tombstone. An open link is the same word as an open
// slot, so a slab of which every word is open is an empty slab at the end of a chain, and "the
// first open word" of a full slab is its link.
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

/// The value of each key of a set.
struct no_value {};

namespace detail {

/// How a part of a kernel keeps its machine: one without members as a copy, so that no part has to
/// have an address, and all of them are registers.
template <class Machine>
using kept_machine = std::conditional_t<std::is_empty_v<Machine>, const Machine, const Machine &>;

constexpr uint32_t slab_words = 16, no_slab = ~0u;

struct alignas(128) slab {
  uint64_t words[slab_words]; // as words of 64 bits
};
/// What all words of a slab that nobody has used are: of 64 bits both the same, of 128 bits these.
struct slab_filling {
  uint64_t low = ~uint64_t{0}, high = ~uint64_t{0};
};

__extension__ using wide_word = unsigned __int128;

template <class T>
constexpr bool is_slab_item = std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// The bits of a key or a value, and back.
template <class T> COLONNADE_HOST_DEVICE auto slab_bits(const T &item) {
  static_assert(is_slab_item<T> || std::is_same_v<T, no_value>,
                "slab hash: keys and values are trivially copyable types of 32 or 64 bits");
  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t> bits = 0;
  if constexpr (!std::is_same_v<T, no_value>)
    std::memcpy(&bits, &item, sizeof bits);
  return bits;
}
template <class T> COLONNADE_HOST_DEVICE T from_slab_bits(uint64_t bits) {
  T item;
  if constexpr (sizeof(T) == 8) {
    std::memcpy(&item, &bits, 8);
  } else if constexpr (!std::is_same_v<T, no_value>) {
    const uint32_t low = static_cast<uint32_t>(bits);
    std::memcpy(&item, &low, 4);
  }
  return item;
}

/// The half of a word that holds either.
template <class Key, class Value>
using slab_half = std::conditional_t<sizeof(Key) == 8 || sizeof(Value) == 8, uint64_t, uint32_t>;

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
COLONNADE_HOST_DEVICE uint64_t low_half(wide_word word) { return static_cast<uint64_t>(word); }
COLONNADE_HOST_DEVICE uint64_t high_half(wide_word word) {
  return static_cast<uint64_t>(word >> 64);
}
COLONNADE_HOST_DEVICE uint64_t both_halves(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}
COLONNADE_HOST_DEVICE wide_word both_halves(uint64_t low, uint64_t high) {
  return wide_word{high} << 64 | low;
}

/// Multiple: a key may have several pairs.
template <class Key, class Half, class Equal, bool Multiple> struct slab_format {
  using half = Half;
  using word = std::conditional_t<sizeof(Half) == 4, uint64_t, wide_word>;
  static constexpr bool multiple = Multiple, has_filters = sizeof(Half) == 8;
  static constexpr uint32_t words = sizeof(slab) / sizeof(word), slots = words - 1,
                            link_word = slots;

  Half empty_key, tombstone_key; // bits; different
  Equal equal;

  COLONNADE_HOST_DEVICE word open() const {
    return both_halves(empty_key, static_cast<Half>(~Half{0}));
  }
  COLONNADE_HOST_DEVICE word live(const Key &key, Half value) const {
    return both_halves(Half{slab_bits(key)}, value);
  }
  COLONNADE_HOST_DEVICE word tombstone(const Key &key) const {
    return both_halves(tombstone_key, Multiple ? Half{0} : Half{slab_bits(key)});
  }
  /// Any key may be behind it.
  COLONNADE_HOST_DEVICE word link(uint32_t next) const { return link(next, ~0u); }
  COLONNADE_HOST_DEVICE word link(uint32_t next, uint32_t filter) const {
    if constexpr (has_filters)
      return both_halves(empty_key, Half{filter} << 32 | next);
    else
      return both_halves(empty_key, Half{next});
  }
  /// The bit of keys with this hash in a filter.
  static COLONNADE_HOST_DEVICE uint32_t filter_bit(uint32_t hash) { return 1u << hash % 32; }
  /// Whether a key with this hash may be behind a link. value: its high half.
  static COLONNADE_HOST_DEVICE bool may_be_behind(Half value, uint32_t hash) {
    if constexpr (has_filters)
      return value >> 32 & filter_bit(hash);
    else
      return true;
  }
  /// The same link, which such a key may be behind.
  static COLONNADE_HOST_DEVICE word with_hash(word link, uint32_t hash) {
    if constexpr (has_filters)
      return link | both_halves(Half{0}, Half{filter_bit(hash)} << 32);
    else
      return link;
  }
  /// Of a link: the next slab, or no_slab.
  static COLONNADE_HOST_DEVICE uint32_t next(word link) {
    return static_cast<uint32_t>(high_half(link));
  }
  COLONNADE_HOST_DEVICE slab_filling filling() const {
    if constexpr (sizeof(Half) == 4)
      return {open(), open()};
    else
      return {low_half(open()), high_half(open())};
  }

  COLONNADE_HOST_DEVICE bool is_reserved(const Key &key) const {
    const Half bits = slab_bits(key);
    return bits == empty_key || bits == tombstone_key;
  }
  /// An open slot, or a link to whatever.
  COLONNADE_HOST_DEVICE bool is_open(word w) const { return low_half(w) == empty_key; }
  COLONNADE_HOST_DEVICE bool is_tombstone(word w) const { return low_half(w) == tombstone_key; }
  /// Whether this is a pair. Not to be asked of links.
  COLONNADE_HOST_DEVICE bool is_live(word w) const { return !is_open(w) && !is_tombstone(w); }
  /// Whether this is `key`, live. `key` is not reserved.
  COLONNADE_HOST_DEVICE bool is_live(word w, const Key &key) const {
    if constexpr (std::is_same_v<Equal, equal_bits>)
      return low_half(w) == slab_bits(key);
    else // the user's function is not asked about reserved keys
      return is_live(w) && equal(from_slab_bits<Key>(low_half(w)), key);
  }
  /// Whether the slot belongs to `key`: live or, where keys are unique, as a tombstone.
  COLONNADE_HOST_DEVICE bool belongs(word w, const Key &key) const {
    if constexpr (Multiple)
      return is_live(w, key);
    else if constexpr (std::is_same_v<Equal, equal_bits>)
      return is_live(w, key) || w == tombstone(key);
    else
      return is_live(w, key) || (is_tombstone(w) && equal(from_slab_bits<Key>(high_half(w)), key));
  }
};

} // namespace detail

} // namespace colonnade

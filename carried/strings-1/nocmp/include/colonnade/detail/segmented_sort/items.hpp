//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// items.hpp: the items that a network over rows compares.
//
//   word_items     the words of the keys alone, from which the keys can be made again. -0 comes
//                  before +0; if only a range of bits is sorted by, the other bits decide
//                  between keys that are equal in it
//   placed_items   a word and the place in its row. No two are equal, so the network is
//                  stable, and the sorted places tell where every item comes from
//
// In: a key. It becomes a `staged` word when it is loaded to shared memory, and an `item` in the
// registers of the thread that sorts it. Out: an item leaves as `sorted`: a word, or a place.
// Invariant: items that are missing() come after all others.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/key_words.hpp>

namespace colonnade::detail {

/// Words in registers and shared memory have at least 32 bits.
template <class Raw> using staged_word = std::conditional_t<(sizeof(Raw) <= 4), uint32_t, uint64_t>;

/// The bits of a key's word that a sort orders by.
struct word_range {
  uint64_t flip;             // first the word is XORed with it: all ones for descending order
  uint32_t begin_bit, width; // then these bits are taken; within the key's
};

template <class Key> struct word_items {
  using raw = typename sorted_as<Key>::raw;
  using staged = staged_word<raw>;
  using item = staged;
  using sorted = staged;
  static constexpr bool placed = false;
  static constexpr bool floating = sorted_as<Key>::kind == key_kind::floating;
  static constexpr uint32_t bits = 8 * sizeof(raw);
  static constexpr staged all = static_cast<staged>(static_cast<raw>(~raw{0}));
  static constexpr staged sign = staged{1} << (bits - 1);

  staged flip;
  uint32_t up; // words are rotated to the left by so many bits: then the range is on top

  word_items() = default;
  explicit word_items(word_range r)
      : flip(static_cast<staged>(r.flip)), up((bits - r.begin_bit - r.width) % bits) {}

  COLONNADE_KERNEL_CODE staged word(raw key) const {
    staged w = key;
    if constexpr (floating)
      w ^= negative_if((w & sign) != 0) | sign;
    return rotated(w ^ flip, up);
  }
  COLONNADE_KERNEL_CODE raw key(staged w) const {
    w = rotated(w, (bits - up) % bits) ^ flip;
    if constexpr (floating)
      w ^= negative_if((w & sign) == 0) | sign;
    return static_cast<raw>(w);
  }
  static COLONNADE_KERNEL_CODE item make(staged word, uint32_t) { return word; }
  static COLONNADE_KERNEL_CODE item missing(uint32_t) { return static_cast<item>(~item{0}); }
  static COLONNADE_KERNEL_CODE sorted out(item i) { return i; }

private:
  static COLONNADE_KERNEL_CODE staged rotated(staged w, uint32_t by) { // without a branch
    return (w << by | w >> (bits - by) % bits) & all;
  }
  static COLONNADE_KERNEL_CODE staged negative_if(bool condition) { return condition ? all : 0; }
};

/// A 64-bit word and a place.
struct alignas(16) wide_item {
  uint64_t word;
  uint32_t place;
  friend COLONNADE_KERNEL_CODE bool operator<(const wide_item &a, const wide_item &b) {
    return a.word < b.word || (a.word == b.word && a.place < b.place);
  }
};

template <class Key> struct placed_items {
  using raw = typename sorted_as<Key>::raw;
  using staged = staged_word<raw>;
  static constexpr bool wide = sizeof(raw) > 4;
  using item = std::conditional_t<wide, wide_item, uint64_t>;
  using sorted = uint32_t;
  static constexpr bool placed = true;

  staged flip, mask;
  uint32_t begin_bit;

  placed_items() = default;
  explicit placed_items(word_range r)
      : flip(static_cast<staged>(r.flip)),
        mask(r.width ? static_cast<staged>(~uint64_t{0} >> (64 - r.width)) : 0),
        begin_bit(r.width ? r.begin_bit : 0) {}

  COLONNADE_KERNEL_CODE staged word(raw key) const {
    const typename sorted_as<Key>::word order;
    return (static_cast<staged>(order(key)) ^ flip) >> begin_bit & mask;
  }
  static COLONNADE_KERNEL_CODE item make(staged word, uint32_t place) {
    if constexpr (wide)
      return {word, place};
    else
      return uint64_t{word} << 32 | place;
  }
  static COLONNADE_KERNEL_CODE item missing(uint32_t place) {
    return make(static_cast<staged>(~staged{0}), place);
  }
  static COLONNADE_KERNEL_CODE sorted out(const item &i) {
    if constexpr (wide)
      return i.place;
    else
      return static_cast<uint32_t>(i);
  }
};

template <class T, class Machine>
COLONNADE_KERNEL_CODE T shuffle_item(const Machine &machine, const T &item, uint32_t mask) {
  return machine.shuffle_xor(item, mask);
}
template <class Machine>
COLONNADE_KERNEL_CODE wide_item shuffle_item(const Machine &machine, const wide_item &item,
                                             uint32_t mask) {
  return {machine.shuffle_xor(item.word, mask), machine.shuffle_xor(item.place, mask)};
}

} // namespace colonnade::detail

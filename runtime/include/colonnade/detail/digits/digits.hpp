//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// digits.hpp: a word of up to 64 bits cut into digits of at most 8 bits, one for
// every pass of a least-significant-digit sort.
//
// In: the words' bits, or the number of buckets that they name. Out: for every
// pass which bits it looks at. Passes take as even a share as there is: two
// passes of 5 bits look back over fewer columns than one of 8 and one of 2.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/bucket_id.hpp>

#include <algorithm>
#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t max_digits = 8; // of 64 bits
constexpr uint32_t digit_bits = 8; // at most
constexpr uint32_t digit_buckets = 1u << digit_bits;

struct digit {
  uint32_t shift = 0, mask = 0;
  uint32_t num_buckets = 1; // digits run from 0 to num_buckets - 1
  uint32_t flip = 0;        // xored: descending order, and signs
  bool drops = false;       // words equal to `dropped` come behind all digits
  uint32_t dropped = 0;

  template <class Word> COLONNADE_HOST_DEVICE uint32_t of(Word word) const {
    return (static_cast<uint32_t>(word >> shift) & mask) ^ flip;
  }
  /// The same where words may be dropped.
  COLONNADE_HOST_DEVICE uint32_t of_id(uint32_t word) const {
    return drops && word == dropped ? num_buckets : of(word);
  }
  COLONNADE_HOST_DEVICE uint32_t num_ids() const { return num_buckets + drops; }
};

struct digit_list {
  uint32_t count = 0;
  digit at[max_digits];
};

/// Bits [begin, end) of a word, xored with `flip`. No bits: one pass, one digit, in
/// which everything keeps its order.
inline digit_list digits_of_bits(uint32_t begin, uint32_t end, uint64_t flip) {
  digit_list list;
  list.count = std::max(1u, (end - begin + digit_bits - 1) / digit_bits);
  uint32_t shift = begin;
  for (uint32_t r = 0; r < list.count && shift < end; ++r) {
    const uint32_t passes_left = list.count - r;
    const uint32_t width = (end - shift + passes_left - 1) / passes_left;
    digit &d = list.at[r];
    d.shift = shift;
    d.mask = (1u << width) - 1;
    d.num_buckets = 1u << width;
    d.flip = static_cast<uint32_t>(flip >> shift) & d.mask;
    shift += width;
  }
  return list;
}

/// Bucket ids below num_buckets (at most max_buckets); if `discards`, num_buckets
/// itself is an item to leave out, which the last pass does.
constexpr uint32_t max_buckets = 1u << 31;
inline digit_list digits_of_ids(uint32_t num_buckets, bool discards) {
  uint32_t bits = 1;
  while (bits < 32 && (num_buckets - (discards ? 0 : 1)) >> bits)
    ++bits;
  for (;; ++bits) { // one more where the last digit has no room for the discarded
    digit_list list = digits_of_bits(0, bits, 0);
    digit &last = list.at[list.count - 1];
    last.num_buckets = ((num_buckets - 1) >> last.shift) + 1;
    last.drops = discards;
    last.dropped = num_buckets;
    if (last.num_ids() <= digit_buckets)
      return list;
  }
}

/// One pass's digit as ids for the scatter pass. Word: word(key), key alone.
template <class Word> struct digit_ids {
  static constexpr bool discards = Word::may_drop;

  digit part; // first: where the arguments before end, its members are aligned in pairs
  uint32_t num_buckets;
  Word bucket;

  digit_ids(const Word &word, const digit &d) : part(d), num_buckets(d.num_buckets), bucket(word) {}
  COLONNADE_HOST_DEVICE uint32_t count() const {
    return Word::may_drop ? part.num_ids() : num_buckets;
  }
  COLONNADE_HOST_DEVICE uint32_t last() const { return count() - 1; }
  template <class Key> COLONNADE_KERNEL_CODE uint32_t operator()(const Key &key, uint64_t) const {
    if constexpr (Word::may_drop)
      return part.of_id(bucket(key));
    else
      return part.of(bucket(key));
  }
};

/// The word of an item is the id of its bucket; the functor looks at the key alone.
template <class Ids> struct bucket_word {
  static constexpr bool may_drop = Ids::discards;
  Ids ids;
  template <class Key> COLONNADE_KERNEL_CODE uint32_t operator()(const Key &key) const {
    return ids(key, 0);
  }
};
/// The word of an item is the item: an unsigned integer, or an id written earlier.
template <bool MayDrop> struct same_word {
  static constexpr bool may_drop = MayDrop;
  template <class Key> COLONNADE_KERNEL_CODE Key operator()(const Key &key) const { return key; }
};

} // namespace colonnade::detail

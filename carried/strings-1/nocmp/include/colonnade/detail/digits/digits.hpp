//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// digits.hpp: divides a word of up to 64 bits into digits of at most 8 bits, one for each pass
// of a least-significant-digit sort.
//
// In: a range of bits, or the number of buckets whose ids the words are. Out: the digit of each
// pass. Invariant: the digits cover the bits once, in as equal shares as possible: two passes of 5
// bits look back over fewer buckets than one of 8 and one of 2.
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
  uint32_t flip = 0;        // XORed: for descending order, and signs
  bool drops = false;       // words equal to `dropped` come after all digits
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

/// A digit of a bucket's id, which has 32 bits and is not flipped: the product loses what is
/// above the digit, the shift what is below. Ranking keeps the unit that shifts and masks
/// busy, and not the one that multiplies.
struct id_digit : digit {
  uint32_t scale, down;

  explicit id_digit(const digit &d) : digit(d), scale(1), down(32) {
    for (; mask >> (32 - down); --down) // 32 less the digit's bits
      ;
    scale <<= down - shift;
  }
  COLONNADE_HOST_DEVICE uint32_t of(uint32_t id) const { return id * scale >> down; }
  COLONNADE_HOST_DEVICE uint32_t of_id(uint32_t id) const {
    return drops && id == dropped ? num_buckets : of(id);
  }
};

struct digit_list {
  uint32_t count = 0;
  digit at[max_digits];
};

/// The bits begin to end - 1 of a word that is XORed with `flip`. If there are none: one pass whose
/// only digit is 0, which keeps everything in order.
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

/// The digits of bucket ids below num_buckets (at most max_buckets). discards: the id num_buckets
/// means an item to leave out, which the last pass does.
constexpr uint32_t max_buckets = 1u << 31;
inline digit_list digits_of_ids(uint32_t num_buckets, bool discards) {
  uint32_t bits = 1;
  while (bits < 32 && (num_buckets - (discards ? 0 : 1)) >> bits)
    ++bits;
  for (;; ++bits) { // one bit more if the last digit has no room for the discarded
    digit_list list = digits_of_bits(0, bits, 0);
    digit &last = list.at[list.count - 1];
    last.num_buckets = ((num_buckets - 1) >> last.shift) + 1;
    last.drops = discards;
    last.dropped = num_buckets;
    if (last.num_ids() <= digit_buckets)
      return list;
  }
}

/// The digit of one pass as the ids of a scatter pass. Word: word(key), without the index; is_id:
/// the word is the id of a bucket; may_drop: items may be left out.
template <class Word> struct digit_ids {
  static constexpr bool discards = Word::may_drop;

  using digit_type = std::conditional_t<Word::is_id, id_digit, digit>;
  digit_type part; // first, so that in a kernel's arguments its members are aligned in pairs
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

/// The word of an item is the id of its bucket, for functors that take the key alone.
template <class Ids> struct bucket_word {
  static constexpr bool may_drop = Ids::discards, is_id = true;
  Ids ids;
  template <class Key> COLONNADE_KERNEL_CODE uint32_t operator()(const Key &key) const {
    return ids(key, 0);
  }
};
/// The word of an item is the item itself: an id written earlier.
template <bool MayDrop> struct same_word {
  static constexpr bool may_drop = MayDrop, is_id = true;
  template <class Key> COLONNADE_KERNEL_CODE Key operator()(const Key &key) const { return key; }
};

} // namespace colonnade::detail

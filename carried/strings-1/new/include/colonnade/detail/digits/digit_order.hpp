//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// digit_order.hpp: the order of a radix sort by all its digits, as words.
//
// In: the digits of a sort, which drop nothing. Out: for a key a word of 32 or 64 bits. Invariant:
// a stable sort by the words gives the same bits as the passes of the radix sort.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/digits.hpp>

#include <type_traits>

namespace colonnade::detail {

/// Word: word(key), as in key_words.hpp.
template <class Word> struct digit_order {
  uint64_t mask = 0, flip = 0;

  explicit digit_order(const digit_list &digits) {
    for (uint32_t r = 0; r < digits.count; ++r) {
      mask |= uint64_t{digits.at[r].mask} << digits.at[r].shift;
      flip |= uint64_t{digits.at[r].flip} << digits.at[r].shift;
    }
  }
  template <class Key> using word_of = std::conditional_t<(sizeof(Key) <= 4), uint32_t, uint64_t>;
  template <class Key> COLONNADE_KERNEL_CODE word_of<Key> word(const Key &key) const {
    return (Word{}(key) ^ static_cast<word_of<Key>>(flip)) & static_cast<word_of<Key>>(mask);
  }
};

} // namespace colonnade::detail

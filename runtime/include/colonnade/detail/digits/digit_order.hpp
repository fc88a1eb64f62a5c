//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// digit_order.hpp: the order of a radix sort by all its digits, as a comparator.
//
// In: the digits of a sort, which drop nothing. Out: whether key a comes before key b. Invariant: a
// stable sort by this comparator gives the same bits as the passes of the radix sort.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/digits.hpp>

namespace colonnade::detail {

template <class Word> struct digit_order {
  uint64_t mask = 0, flip = 0;

  explicit digit_order(const digit_list &digits) {
    for (uint32_t r = 0; r < digits.count; ++r) {
      mask |= uint64_t{digits.at[r].mask} << digits.at[r].shift;
      flip |= uint64_t{digits.at[r].flip} << digits.at[r].shift;
    }
  }
  template <class Key> COLONNADE_KERNEL_CODE bool operator()(const Key &a, const Key &b) const {
    const auto place = [&](const Key &k) {
      return static_cast<Key>((Word{}(k) ^ static_cast<Key>(flip)) & static_cast<Key>(mask));
    };
    return place(a) < place(b);
  }
};

} // namespace colonnade::detail

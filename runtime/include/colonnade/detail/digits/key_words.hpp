//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// key_words.hpp: keys as unsigned words whose order is the keys' order.
//
//   integers   the word is the key; signed ones have their highest bit flipped
//   floats     negative keys are inverted, the highest bit of the others is set;
//              -0 has the word of +0; a NaN lies where its bits put it: negative
//              ones before -inf, positive ones behind +inf
//
// Keys move unchanged: words exist in registers alone. Flips are part of the digit
// (digits.hpp), so integers of one size and both orders share their kernels.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace colonnade::detail {

template <size_t Bytes> struct word_of_size;
template <> struct word_of_size<1> {
  using type = uint8_t;
};
template <> struct word_of_size<2> {
  using type = uint16_t;
};
template <> struct word_of_size<4> {
  using type = uint32_t;
};
template <> struct word_of_size<8> {
  using type = uint64_t;
};

enum class key_kind { unsigned_integer, signed_integer, floating };

/// How a type is sorted. Specialise it for a type of your own whose bits are those
/// of an integer or of an IEEE-like float (sign, exponent, fraction).
template <class Key> struct key_traits {
  static_assert(std::is_arithmetic_v<Key> && sizeof(Key) <= 8,
                "radix sort: integers and floats of 8 to 64 bits");
  static constexpr key_kind kind = std::is_floating_point_v<Key> ? key_kind::floating
                                   : std::is_signed_v<Key>       ? key_kind::signed_integer
                                                                 : key_kind::unsigned_integer;
};

template <class Raw> struct integer_word {
  static constexpr bool may_drop = false;
  COLONNADE_KERNEL_CODE Raw operator()(Raw key) const { return key; }
};

template <class Raw> struct floating_word {
  static constexpr bool may_drop = false;
  static constexpr Raw sign = static_cast<Raw>(Raw{1} << (8 * sizeof(Raw) - 1));
  COLONNADE_KERNEL_CODE Raw operator()(Raw key) const {
    const Raw word = static_cast<Raw>(key & sign ? ~key : key | sign);
    return key == sign ? sign : word; // -0 as +0
  }
};

template <class Key> struct sorted_as {
  using raw = typename word_of_size<sizeof(Key)>::type;
  static constexpr key_kind kind = key_traits<Key>::kind;
  using word =
      std::conditional_t<kind == key_kind::floating, floating_word<raw>, integer_word<raw>>;

  /// Of the word, before its digits are compared.
  static constexpr uint64_t flip(bool descending) {
    const uint64_t all = ~uint64_t{0} >> (64 - 8 * sizeof(Key));
    const uint64_t sign = uint64_t{1} << (8 * sizeof(Key) - 1);
    return (kind == key_kind::signed_integer ? sign : 0) ^ (descending ? all : 0);
  }
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// key_words.hpp: turns keys into unsigned words that are in the same order.
//
//   integers   the word is the key; of signed ones the highest bit is flipped
//   floats     of negative keys all bits are inverted, of others the highest bit is set;
//              -0 has the word of +0; NaN are where their bits put them: negative ones
//              before -inf, positive ones after +inf
//
// In: a key. Out: its word, and the bits to flip in it. Invariant: keys are moved unchanged; words
// exist in registers alone. Flips are part of the digit (digits.hpp), so that signed and unsigned
// integers of one size, in both directions, share their kernels.
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

/// How keys of a type are sorted. May be specialised for types whose bits are those of an integer
/// or of an IEEE-like float (sign, exponent, fraction).
template <class Key> struct key_traits {
  static_assert(std::is_arithmetic_v<Key> && sizeof(Key) <= 8,
                "radix sort: integers and floats of 8 to 64 bits");
  static constexpr key_kind kind = std::is_floating_point_v<Key> ? key_kind::floating
                                   : std::is_signed_v<Key>       ? key_kind::signed_integer
                                                                 : key_kind::unsigned_integer;
};

template <class Raw> struct integer_word {
  static constexpr bool may_drop = false, is_id = false;
  COLONNADE_KERNEL_CODE Raw operator()(Raw key) const { return key; }
};

template <class Raw> struct floating_word {
  static constexpr bool may_drop = false, is_id = false;
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

  /// The bits to flip in the word.
  static constexpr uint64_t flip(bool descending) {
    const uint64_t all = ~uint64_t{0} >> (64 - 8 * sizeof(Key));
    const uint64_t sign = uint64_t{1} << (8 * sizeof(Key) - 1);
    return (kind == key_kind::signed_integer ? sign : 0) ^ (descending ? all : 0);
  }
};

} // namespace colonnade::detail

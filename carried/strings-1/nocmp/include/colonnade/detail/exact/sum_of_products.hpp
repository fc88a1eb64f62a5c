//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sum_of_products.hpp: the sign of a sum of products of finite floating-point numbers, in integer
// arithmetic alone.
//
//   x = ± mantissa · 2^exponent,  so a product is ± (an integer of 106 bits) · 2^exponent
//   the sum, written in digits of 32 bits, from the highest digit down:
//     carry ← carry · 2^32 + (the digits of all terms at this place, with their signs)
//     if |carry| ≥ number of terms: what is below cannot change the sign any more
//
// In: terms. Out: -1, 0 or 1. Invariant: exact for all finite numbers, subnormal ones included, and
// whatever options the floating-point arithmetic was compiled with.
//
// Complexity: work is the number of digits looked at (for doubles 132 at most, for floats 18; few
// unless terms cancel) times the number of terms. No memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/detail/exact/rare_code.hpp>

#include <cstdint>
#include <cstring>

namespace colonnade::detail {

/// Number as its bits say it; Magnitude holds a product of two mantissas.
template <class Number> struct float_bits;
template <> struct float_bits<float> {
  using word = uint32_t;
  using magnitude = uint64_t;
  static constexpr int fraction_bits = 23, lowest_exponent = -149;
};
template <> struct float_bits<double> {
  using word = uint64_t;
  using magnitude = unsigned __int128;
  static constexpr int fraction_bits = 52, lowest_exponent = -1074;
};

/// ± magnitude · 2^exponent.
template <class Number> struct exact_term {
  typename float_bits<Number>::magnitude magnitude;
  int32_t exponent;
  bool negative;
};

/// Of a finite number.
template <class Number> COLONNADE_HOST_DEVICE exact_term<Number> exact_value(Number number) {
  using format = float_bits<Number>;
  using word = typename format::word;
  constexpr int exponent_bits = 8 * sizeof(word) - 1 - format::fraction_bits;
  word bits;
  memcpy(&bits, &number, sizeof bits);
  const word fraction = bits & ((word{1} << format::fraction_bits) - 1);
  const int32_t biased =
      static_cast<int32_t>(bits >> format::fraction_bits) & ((1 << exponent_bits) - 1);
  const bool subnormal = biased == 0;
  return {subnormal ? fraction : fraction | word{1} << format::fraction_bits,
          format::lowest_exponent + (subnormal ? 0 : biased - 1),
          (bits >> (8 * sizeof(word) - 1)) != 0};
}

/// a · b, or -(a · b).
template <class Number>
COLONNADE_HOST_DEVICE exact_term<Number> exact_product(Number a, Number b, bool negated = false) {
  const exact_term<Number> x = exact_value(a), y = exact_value(b);
  return {x.magnitude * y.magnitude, x.exponent + y.exponent,
          (x.negative != y.negative) != negated};
}

/// Bits first to first + 31 of a magnitude that stands `first` bits below.
template <class Magnitude>
COLONNADE_HOST_DEVICE uint32_t digit_at(Magnitude magnitude, int32_t first) {
  constexpr int32_t bits = 8 * sizeof(Magnitude);
  if (first >= bits || first <= -32)
    return 0;
  return static_cast<uint32_t>(first >= 0 ? magnitude >> first : magnitude << -first);
}

template <class Number, int num_terms>
COLONNADE_HOST_DEVICE int sign_of_sum(const exact_term<Number> (&terms)[num_terms]) {
  constexpr int32_t magnitude_bits = 8 * sizeof(typename float_bits<Number>::magnitude);
  int32_t lowest = INT32_MAX, highest = INT32_MIN; // of exponents of terms that are not zero
  for (const exact_term<Number> &term : terms)
    if (term.magnitude != 0) {
      lowest = term.exponent < lowest ? term.exponent : lowest;
      highest = term.exponent > highest ? term.exponent : highest;
    }
  if (highest < lowest)
    return 0;
  int64_t carry = 0;
  for (int32_t place = (highest + magnitude_bits - lowest) / 32 * 32; place >= 0; place -= 32) {
    carry *= int64_t{1} << 32;
    for (const exact_term<Number> &term : terms) {
      // The terms' own lowest bit stands at exponent - lowest; those of zeros count nothing.
      const int64_t digit = digit_at(term.magnitude, place - (term.exponent - lowest));
      carry += term.negative ? -digit : digit;
    }
    if (carry >= num_terms || carry <= -num_terms)
      break;
  }
  return (carry > 0) - (carry < 0);
}

} // namespace colonnade::detail

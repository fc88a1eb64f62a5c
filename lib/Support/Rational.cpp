//===- Rational.cpp - Fractions of 64-bit integers ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Polynomial.h"

namespace colonnade {

using Wide = __int128;

static Rational reduced(Wide num, Wide den) {
  Rational result;
  if (den == 0) {
    result.den = 0;
    return result;
  }
  Wide a = num < 0 ? -num : num, b = den < 0 ? -den : den;
  while (b != 0)
    std::swap(a %= b, b);
  Wide gcd = den < 0 ? -a : a;
  num /= gcd;
  den /= gcd;
  bool fits = num >= INT64_MIN && num <= INT64_MAX && den <= INT64_MAX;
  result.num = fits ? static_cast<int64_t>(num) : 0;
  result.den = fits ? static_cast<int64_t>(den) : 0;
  return result;
}

Rational::Rational(int64_t n, int64_t d) : num(n), den(d) {
  if (d != 1)
    *this = reduced(n, d);
}

// With 64-bit parts a product of two fits 127 bits, and a sum of two 128 with
// its sign only if one is smaller; so overflow is caught before the addition.
Rational operator+(Rational a, Rational b) {
  Wide left = Wide(a.num) * b.den, right = Wide(b.num) * a.den, sum;
  if (__builtin_add_overflow(left, right, &sum))
    return reduced(0, 0);
  return reduced(sum, Wide(a.den) * b.den);
}
Rational operator-(Rational a, Rational b) {
  Wide left = Wide(a.num) * b.den, right = Wide(b.num) * a.den, difference;
  if (__builtin_sub_overflow(left, right, &difference))
    return reduced(0, 0);
  return reduced(difference, Wide(a.den) * b.den);
}
Rational operator*(Rational a, Rational b) {
  return reduced(Wide(a.num) * b.num, Wide(a.den) * b.den);
}
Rational operator/(Rational a, Rational b) {
  return reduced(Wide(a.num) * b.den, Wide(a.den) * b.num);
}

} // namespace colonnade

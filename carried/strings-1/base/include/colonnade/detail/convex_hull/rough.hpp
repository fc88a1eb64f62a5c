//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rough.hpp: cross products that are rounded, with a bound on the error, and no branch.
//
// In: differences of points. Out: numbers between which the cross product lies. Invariant: what
// overflows gives an infinite bound or a NaN, with which nothing is sure.
//
// Why: an exact decision (cross.hpp) contains a call for the cases that rounding cannot decide, and
// of two decisions with a call in between the second one waits for the first. Of rough ones a
// thread makes those of all its points at once; what is not sure is then decided exactly.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/sieve.hpp>
#include <colonnade/detail/exact/finite.hpp>

#include <cfloat>

namespace colonnade::detail {

/// What rough decisions are computed in.
template <class T> using rough_number = sieve_number<T>;

template <class Number> struct rough_vector {
  Number x, y;
};
/// The number itself is between value - error and value + error.
template <class Number> struct rough_value {
  Number value, error;

  COLONNADE_KERNEL_CODE bool is_surely_positive() const { return value > error; }
  COLONNADE_KERNEL_CODE bool is_surely_negative() const { return value < -error; }
  COLONNADE_KERNEL_CODE Number most() const { return value + error; }
  COLONNADE_KERNEL_CODE Number least() const { return value - error; }
};

/// Rounded once, whatever the compiler's options. Its sign is that of the difference.
template <class T> COLONNADE_KERNEL_CODE rough_number<T> rough_difference(T a, T b) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_integral_v<T>)
    return static_cast<double>(int64_t{a} - b);
  else
    return rounded_difference(a, b);
#else
  return static_cast<rough_number<T>>(a) - static_cast<rough_number<T>>(b);
#endif
}
template <class T>
COLONNADE_KERNEL_CODE rough_vector<rough_number<T>> rough_difference(const point_of<T> &a,
                                                                     const point_of<T> &b) {
  return {rough_difference(a.x, b.x), rough_difference(a.y, b.y)};
}
/// Whether the difference is below 0; a difference that is 0 has no sign.
template <class Number> COLONNADE_KERNEL_CODE bool has_sign(Number difference) {
  std::conditional_t<sizeof(Number) == 4, int32_t, int64_t> bits;
  memcpy(&bits, &difference, sizeof bits);
  return bits < 0;
}

/// What rounding may do to a cross product of rounded differences: two differences, a product and
/// the last difference are rounded; twice that leaves room for the bound's own rounding. And what
/// underflow adds.
template <class Number>
constexpr Number rough_error = sizeof(Number) == 4 ? Number(0x1p-21) : Number(0x1p-50);
template <class Number>
constexpr Number rough_underflow = sizeof(Number) == 4 ? Number(0x1p-120) : Number(0x1p-1000);

/// u × v, of rounded differences.
template <class Number>
COLONNADE_KERNEL_CODE rough_value<Number> rough_cross(const rough_vector<Number> &u,
                                                      const rough_vector<Number> &v) {
#if defined(__CUDA_ARCH__)
  const Number left = rounded_product(u.x, v.y), right = rounded_product(u.y, v.x);
  const Number value = rounded_difference(left, right);
#else
  const Number left = u.x * v.y, right = u.y * v.x, value = left - right;
#endif
  return {value,
          (std::fabs(left) + std::fabs(right)) * rough_error<Number> + rough_underflow<Number>};
}

/// All numbers that count lie between these.
template <class Number>
constexpr Number most_number = static_cast<Number>(sizeof(Number) == 4 ? FLT_MAX : DBL_MAX);
template <class Number> constexpr Number least_number = -most_number<Number>;

/// Words in the order of numbers, rounded down; 0 for what is not a number or is infinite.
template <class Number> COLONNADE_KERNEL_CODE uint32_t word_below(Number number) {
  if (!(number > least_number<Number> && number < most_number<Number>))
    return 0;
  std::conditional_t<sizeof(Number) == 4, uint32_t, uint64_t> bits;
  memcpy(&bits, &number, sizeof bits);
  constexpr int top = 8 * sizeof bits - 1;
  bits = bits >> top ? ~bits : bits | decltype(bits){1} << top;
  return static_cast<uint32_t>(bits >> (top - 31));
}
/// The number; of word 0 the least.
template <class Number> COLONNADE_KERNEL_CODE Number number_of_word(uint32_t word) {
  if (word == 0)
    return least_number<Number>;
  std::conditional_t<sizeof(Number) == 4, uint32_t, uint64_t> bits = word;
  constexpr int top = 8 * sizeof bits - 1;
  bits <<= top - 31;
  bits = bits >> top ? bits & ~(decltype(bits){1} << top) : ~bits;
  Number number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

} // namespace colonnade::detail

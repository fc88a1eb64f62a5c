//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cross.hpp: the sign of the cross product of two differences of points, and what it tells: on
// which side of a line a point lies, which of two points lies farther from a line.
//
// In: points of int32_t, float or double, all finite. Out: -1, 0 or 1. Invariant: exact. Floats and
// doubles are tried in doubles first, with a bound on the error; where that cannot decide, in
// integers (sum_of_products.hpp). -0.0 equals 0.0.
//
// The bound: each difference and each product is rounded once, so l and r below are right within a
// factor of (1 ± u)^3, u = 2^-53, but for underflow; l - r is rounded once more. In all |error| <
// 4.01 u (|l| + |r|) without underflow; 8 u leave room for the rounding of the bound itself. What
// overflows is infinite or NaN and decides nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/exact/rounding.hpp>
#include <colonnade/detail/exact/sum_of_products.hpp>

#include <cmath>
#include <type_traits>

namespace colonnade::detail {

template <class Coordinate> struct point_of {
  Coordinate x, y;
};

/// How often the doubles could not decide: a counter has the same operator.
struct no_tally {
  COLONNADE_HOST_DEVICE void operator()() const {}
};

/// What underflow may add to the error, of products of these differences.
COLONNADE_HOST_DEVICE double underflow_bound([[maybe_unused]] double x1, [[maybe_unused]] double y1,
                                             [[maybe_unused]] double x2,
                                             [[maybe_unused]] double y2) {
#if defined(__CUDA_ARCH__) // subnormal doubles are never flushed: differences are right
  return 0x1p-1060;
#else // a host may flush each subnormal number that is read or made
  return 0x1p-1020 * (4 + std::fabs(x1) + std::fabs(y1) + std::fabs(x2) + std::fabs(y2));
#endif
}

/// Whether a - b is the difference itself (Knuth's two-sum has no error then).
template <class Number>
COLONNADE_HOST_DEVICE bool is_difference(double difference, Number a, Number b) {
  return rounded_sum(difference, widened(b)) == widened(a) &&
         rounded_difference(widened(a), difference) == widened(b);
}
/// Whether a · b is the product itself; not asked where it may underflow.
COLONNADE_HOST_DEVICE bool is_product(double product, double a, double b) {
  return (a == 0 || b == 0 || std::fabs(product) > 0x1p-900) && rounded_fma(a, b, -product) == 0;
}

/// (b - a) × (d - c) in integers: eight products.
template <class Number>
COLONNADE_RARE_CODE int cross_sign_in_integers(point_of<Number> a, point_of<Number> b,
                                               point_of<Number> c, point_of<Number> d) {
  const exact_term<Number> terms[8] = {
      exact_product(b.x, d.y), exact_product(b.x, c.y, true), exact_product(a.x, d.y, true),
      exact_product(a.x, c.y), exact_product(b.y, d.x, true), exact_product(b.y, c.x),
      exact_product(a.y, d.x), exact_product(a.y, c.x, true)};
  return sign_of_sum(terms);
}

/// The same in doubles, where these decide.
template <class Number, class Tally>
COLONNADE_HOST_DEVICE int cross_sign_in_doubles(point_of<Number> a, point_of<Number> b,
                                                point_of<Number> c, point_of<Number> d,
                                                Tally &&undecided) {
  if constexpr (exact_rounding) {
    const double x1 = rounded_difference(widened(b.x), widened(a.x)),
                 y1 = rounded_difference(widened(b.y), widened(a.y)),
                 x2 = rounded_difference(widened(d.x), widened(c.x)),
                 y2 = rounded_difference(widened(d.y), widened(c.y));
    const double left = rounded_product(x1, y2), right = rounded_product(y1, x2);
    const double cross = rounded_difference(left, right);
    const double bound = rounded_fma(rounded_sum(std::fabs(left), std::fabs(right)), 0x1p-50,
                                     underflow_bound(x1, y1, x2, y2));
    if (cross > bound)
      return 1;
    if (cross < -bound)
      return -1;
    if constexpr (sizeof(Number) == 4 || keeps_subnormal_doubles)
      if (is_difference(x1, b.x, a.x) && is_difference(y1, b.y, a.y) &&
          is_difference(x2, d.x, c.x) && is_difference(y2, d.y, c.y) && is_product(left, x1, y2) &&
          is_product(right, y1, x2))
        return (left > right) - (left < right); // nothing was rounded: points on a line, mostly
  }
  undecided();
  return cross_sign_in_integers(a, b, c, d);
}

/// Of floats, in floats: conversions to doubles cost more than all the rest. 0: not decided.
COLONNADE_HOST_DEVICE int cross_sign_in_floats(point_of<float> a, point_of<float> b,
                                               point_of<float> c, point_of<float> d) {
  const float x1 = rounded_difference(b.x, a.x), y1 = rounded_difference(b.y, a.y),
              x2 = rounded_difference(d.x, c.x), y2 = rounded_difference(d.y, c.y);
  const float left = rounded_product(x1, y2), right = rounded_product(y1, x2);
  const float cross = rounded_difference(left, right);
  // Rounded are two differences, a product and the last difference: four times 2^-24.
#if defined(__CUDA_ARCH__)
  const float bound = __fmaf_rn(fabsf(left) + fabsf(right), 0x1p-21f, 0x1p-120f);
#else // whoever counts what is not decided
  const float bound = std::fma(std::fabs(left) + std::fabs(right), 0x1p-21f, 0x1p-120f);
#endif
  return (cross > bound) - (cross < -bound);
}
#if defined(__CUDA_ARCH__)
/// Whether a - b is the difference itself; compared by bits, as a comparison may take subnormal
/// numbers for zeros.
__device__ inline bool is_difference_of_floats(float difference, float a, float b) {
  return __float_as_uint(rounded_difference(difference, -b)) == __float_as_uint(a) &&
         __float_as_uint(rounded_difference(a, difference)) == __float_as_uint(b);
}
template <class Tally>
COLONNADE_RARE_KERNEL_CODE int cross_sign_of_floats(point_of<float> a, point_of<float> b,
                                                    point_of<float> c, point_of<float> d,
                                                    Tally &&undecided) {
  const float x1 = rounded_difference(b.x, a.x), y1 = rounded_difference(b.y, a.y),
              x2 = rounded_difference(d.x, c.x), y2 = rounded_difference(d.y, c.y);
  if (is_difference_of_floats(x1, b.x, a.x) && is_difference_of_floats(y1, b.y, a.y) &&
      is_difference_of_floats(x2, d.x, c.x) && is_difference_of_floats(y2, d.y, c.y)) {
    const double left = widened(x1) * widened(y2), right = widened(y1) * widened(x2);
    return (left > right) - (left < right); // of numbers of 24 bits: nothing was rounded
  }
  return cross_sign_in_doubles(a, b, c, d, undecided);
}
#endif

/// a - b; of what 32 bits cannot hold, lost is negative.
struct short_difference {
  int32_t value, lost;

  COLONNADE_HOST_DEVICE short_difference(int32_t a, int32_t b)
      : value(static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b))),
        lost((a ^ b) & (a ^ value)) {}
};
/// Of points that may be 2^31 apart and more.
COLONNADE_RARE_CODE int cross_sign_of_far(point_of<int32_t> a, point_of<int32_t> b,
                                          point_of<int32_t> c, point_of<int32_t> d) {
  const int64_t x1 = int64_t{b.x} - a.x, y1 = int64_t{b.y} - a.y, x2 = int64_t{d.x} - c.x,
                y2 = int64_t{d.y} - c.y;
  const __int128 left = static_cast<__int128>(x1) * y2, right = static_cast<__int128>(y1) * x2;
  return (left > right) - (left < right);
}

/// The sign of (b - a) × (d - c): 1 if d - c points to the left of b - a.
template <class Number, class Tally = no_tally>
COLONNADE_HOST_DEVICE int cross_sign(point_of<Number> a, point_of<Number> b, point_of<Number> c,
                                     point_of<Number> d, Tally &&undecided = {}) {
  if constexpr (std::is_integral_v<Number>) {
    static_assert(sizeof(Number) == 4 && std::is_signed_v<Number>);
    const short_difference x1(b.x, a.x), y1(b.y, a.y), x2(d.x, c.x), y2(d.y, c.y);
    if ((x1.lost | y1.lost | x2.lost | y2.lost) < 0)
      return cross_sign_of_far(a, b, c, d);
    const int64_t left = int64_t{x1.value} * y2.value, right = int64_t{y1.value} * x2.value;
    return (left > right) - (left < right);
  } else {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<Number, float>) {
      const int sign = cross_sign_in_floats(a, b, c, d);
      return sign ? sign : cross_sign_of_floats(a, b, c, d, undecided);
    }
#endif
    return cross_sign_in_doubles(a, b, c, d, undecided);
  }
}

/// 1: c lies to the left of the line from a to b; -1: to the right; 0: on it.
template <class Number, class Tally = no_tally>
COLONNADE_HOST_DEVICE int orientation(point_of<Number> a, point_of<Number> b, point_of<Number> c,
                                      Tally &&undecided = {}) {
  return cross_sign(a, b, a, c, undecided);
}
/// 1: c lies farther to the left of the line from a to b than d; -1: d does; 0: equally far.
template <class Number, class Tally = no_tally>
COLONNADE_HOST_DEVICE int compare_distance(point_of<Number> a, point_of<Number> b,
                                           point_of<Number> c, point_of<Number> d,
                                           Tally &&undecided = {}) {
  return cross_sign(a, b, d, c, undecided);
}

/// The sign of (a.x + s a.y) - (b.x + s b.y), s = -1 if `minus`, else 1.
template <class Number>
COLONNADE_HOST_DEVICE int compare_diagonal(point_of<Number> a, point_of<Number> b, bool minus) {
  if constexpr (std::is_integral_v<Number>) {
    const int64_t of_a = minus ? int64_t{a.x} - a.y : int64_t{a.x} + a.y,
                  of_b = minus ? int64_t{b.x} - b.y : int64_t{b.x} + b.y;
    return (of_a > of_b) - (of_a < of_b);
  } else {
    const Number one = 1;
    const exact_term<Number> terms[4] = {exact_product(a.x, one), exact_product(b.x, one, true),
                                         exact_product(a.y, one, minus),
                                         exact_product(b.y, one, !minus)};
    return sign_of_sum(terms);
  }
}

} // namespace colonnade::detail

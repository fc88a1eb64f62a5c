//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chord_roof.hpp: whether points are surely below two chords that meet, as lines with slopes.
//
// In: three points of the input, the top and one on each side of it, which may have its x; on which
// hood they are meant to stand: outwards is upwards here. Out: a roof, which is asked about points
// between the two others. Invariant: of points with finite coordinates it covers only such as are
// strictly below the chord on their side, or below the top and have its x: none stands on the hood.
//
// Why: of a rounded cross product (rough.hpp) most instructions are for the bound on its error;
// that of a height above a line is the same for all points.
//
// The bound, u = half an ulp, in heights. The point's two differences are right within a factor of
// 1 ± u; so are the chord's, and their quotient within 1 ± 4 u (nvcc's quick division). With the
// product's rounding and the last difference's the line is right within 9 u of the chord's rise. A
// point that is more than four times the rise below is below the chord anyway; of others the height
// adds 4 u of the rise. 16 u are taken. What underflows, or is flushed to 0, adds at most 2^-126
// (doubles: 2^-1022) of 1, of the width and of the slope.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/rough.hpp>

namespace colonnade::detail {

/// From the top to one of the ends, as a line through the top.
template <class Number> struct roof_chord {
  Number slope, margin; // margin: infinite if nothing is sure
};

template <class T> struct chord_roof {
  using number = rough_number<T>;
  point_of<T> top;
  number left_slope, right_slope, margin;

  COLONNADE_KERNEL_CODE bool covers(bool upper, const point_of<T> &p) const {
    const number x = rough_difference(p.x, top.x),
                 y = upper ? rough_difference(p.y, top.y) : rough_difference(top.y, p.y);
    return y < (has_sign(x) ? left_slope : right_slope) * x - margin; // false if any is a NaN
  }
};

/// Of an end that has the top's x: no other point is on its side.
template <class T>
COLONNADE_KERNEL_CODE roof_chord<rough_number<T>> chord_to(bool upper, const point_of<T> &top,
                                                           const point_of<T> &end) {
  using number = rough_number<T>;
  constexpr number least = sizeof(number) == 4 ? number(0x1p-100) : number(0x1p-800),
                   most = 1 / least;
  if (is_equal(end.x, top.x))
    return {0, rough_underflow<number>};
  const number width = std::fabs(rough_difference(end.x, top.x)),
               rise = upper ? rough_difference(end.y, top.y) : rough_difference(top.y, end.y),
               slope = rise / rough_difference(end.x, top.x), size = std::fabs(rise);
  if (!(width > least && width < most && size < most && std::fabs(slope) < most))
    return {0, static_cast<number>(INFINITY)};
  return {slope, size * (2 * rough_error<number>)+(1 + width + std::fabs(slope)) *
                     rough_underflow<number>};
}
template <class T>
COLONNADE_KERNEL_CODE chord_roof<T> roof_of(bool upper, const point_of<T> &left,
                                            const point_of<T> &top, const point_of<T> &right) {
  const auto to_left = chord_to(upper, top, left), to_right = chord_to(upper, top, right);
  return {top, to_left.slope, to_right.slope,
          to_left.margin > to_right.margin ? to_left.margin : to_right.margin};
}

} // namespace colonnade::detail

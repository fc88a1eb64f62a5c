//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chord_roof.hpp: whether points are surely below two chords that meet.
//
// In: three points of the input, the top and one on each side of it, which may have its x; on which
// hood they are meant to stand: outwards is upwards here. Out: a roof, which is asked about points
// between the two others. Invariant: of points with finite coordinates it covers only such as are
// strictly below the chord on their side, or below the top and have its x: none stands on the hood.
//
// Why: in floats chords are lines with slopes. Of a rounded cross product (rough.hpp) most
// instructions are for the bound on its error; that of a height above a line is the same for all
// points. In doubles, blocks are few, and would wait for the quotients.
//
// The bound, u = half an ulp, in heights. The point's two differences are right within a factor of
// 1 ± u; so are the chord's, and their quotient within 1 ± 4 u (nvcc's quick division). With the
// product's rounding and the last difference's the line is right within 9 u of the chord's rise. A
// point that is more than four times the rise below is below the chord anyway; of others the height
// adds 4 u of the rise. 16 u are taken. What underflows, or is flushed to 0, adds at most 2^-126 of
// 1, of the width and of the slope.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/rough.hpp>

namespace colonnade::detail {

/// From the top to one of the ends, as a line through the top.
struct roof_line {
  float slope, margin; // margin: infinite if nothing is sure
};
/// rise: outwards. No width: the end has the top's x, and no other point is on its side.
COLONNADE_KERNEL_CODE roof_line line_of_chord(const rough_vector<float> &chord, bool has_width) {
  constexpr float least = 0x1p-100f, most = 0x1p100f;
  const float width = std::fabs(chord.x), rise = std::fabs(chord.y), slope = chord.y / chord.x;
  if (!has_width)
    return {0, rough_underflow<float>};
  if (!(width > least && width < most && rise < most && std::fabs(slope) < most))
    return {0, INFINITY};
  return {slope,
          rise * (2 * rough_error<float>)+(1 + width + std::fabs(slope)) * rough_underflow<float>};
}

/// Two chords, from the top to the ends. at: a point seen from the top, outwards.
template <class Number> struct roof_chords;
template <> struct roof_chords<float> {
  float left_slope, right_slope, margin;

  COLONNADE_KERNEL_CODE roof_chords(const rough_vector<float> &left, bool has_left,
                                    const rough_vector<float> &right, bool has_right) {
    const roof_line to_left = line_of_chord(left, has_left),
                    to_right = line_of_chord(right, has_right);
    left_slope = to_left.slope;
    right_slope = to_right.slope;
    margin = to_left.margin > to_right.margin ? to_left.margin : to_right.margin;
  }
  COLONNADE_KERNEL_CODE bool covers(const rough_vector<float> &at) const {
    return at.y < (has_sign(at.x) ? left_slope : right_slope) * at.x - margin; // no NaN
  }
};
template <> struct roof_chords<double> {
  rough_vector<double> from_left, to_right; // both to the right

  COLONNADE_KERNEL_CODE roof_chords(const rough_vector<double> &left, bool,
                                    const rough_vector<double> &right, bool)
      : from_left{-left.x, -left.y}, to_right(right) {}
  COLONNADE_KERNEL_CODE bool covers(const rough_vector<double> &at) const {
    const bool is_left = has_sign(at.x);
    const rough_vector<double> chord = {is_left ? from_left.x : to_right.x,
                                        is_left ? from_left.y : to_right.y};
    return rough_cross(chord, at).is_surely_negative();
  }
};

template <class T> struct chord_roof {
  using number = rough_number<T>;
  point_of<T> top;
  roof_chords<number> chords;

  COLONNADE_KERNEL_CODE bool covers(bool upper, const point_of<T> &p) const {
    return chords.covers(seen_from(upper, top, p));
  }
  /// Outwards.
  static COLONNADE_KERNEL_CODE rough_vector<number> seen_from(bool upper, const point_of<T> &top,
                                                              const point_of<T> &p) {
    return {rough_difference(p.x, top.x),
            upper ? rough_difference(p.y, top.y) : rough_difference(top.y, p.y)};
  }
};
template <class T>
COLONNADE_KERNEL_CODE chord_roof<T> roof_of(bool upper, const point_of<T> &left,
                                            const point_of<T> &top, const point_of<T> &right) {
  using roof = chord_roof<T>;
  return {top,
          {roof::seen_from(upper, top, left), !is_equal(left.x, top.x),
           roof::seen_from(upper, top, right), !is_equal(right.x, top.x)}};
}

} // namespace colonnade::detail

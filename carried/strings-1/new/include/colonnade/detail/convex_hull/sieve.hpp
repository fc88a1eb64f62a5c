//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sieve.hpp: a cheap test that a point is surely inside a polygon whose vertices are points of the
// input.
//
//   the polygon's x are cut into columns of equal width
//   in each column a chord of the upper hood and one of the lower hood, both moved inwards by more
//   than all rounding can be
//
// In: the hoods of some points. Out: the columns. Invariant: a point that the sieve takes is
// strictly inside the hull, whatever rounding did, and whether subnormal numbers are flushed; a
// hood is concave, so the chord between two of its points is inside. Where numbers are too large or
// too small for that to be sure, the sieve takes nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/last_place.hpp>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace colonnade::detail {

/// What the test is computed in.
template <class T> using sieve_number = std::conditional_t<std::is_same_v<T, float>, float, double>;

template <class Number> struct alignas(4 * sizeof(Number)) sieve_column {
  Number upper_slope, upper_at, lower_slope, lower_at; // at: where x is the sieve's first_x
};

/// The chains that columns are made of, and the columns in which one of them bends so often that
/// chords take little: where most points are in a small part of the frame.
template <class T, uint32_t Columns, uint32_t MostPoints> struct sieve_chains {
  static constexpr uint32_t least_bends = 4;
  uint32_t crowded[(Columns + 31) / 32]; // a bit for each column
  uint32_t counts[2];                    // of points of the lower and the upper chain
  point_of<T> points[2][MostPoints];     // by x
};

/// T: of coordinates.
template <class T> struct sieve_frame {
  using number = sieve_number<T>;
  T first_x, last_x;   // of the polygon; equal: the sieve takes nothing
  number columns_by_x; // columns of one unit
  point_of<T> corner;  // a point of the input; others in its place with larger indices are none
  uint32_t corner_index;

  COLONNADE_KERNEL_CODE number offset(T x) const {
    return static_cast<number>(x) - static_cast<number>(first_x);
  }
  COLONNADE_KERNEL_CODE uint32_t column(number offset, uint32_t num_columns) const {
    const number at = offset * columns_by_x;
    if (!(at > 0))
      return 0;
    return at < static_cast<number>(num_columns - 1) ? static_cast<uint32_t>(at) : num_columns - 1;
  }
};

/// Whether the point at this offset is surely inside, if its x is.
template <class Number>
COLONNADE_KERNEL_CODE bool within(const sieve_column<Number> &c, Number offset, Number y) {
  const Number upper = c.upper_slope * offset + c.upper_at,
               lower = c.lower_slope * offset + c.lower_at;
  return y < upper && y > lower;
}

/// The frame for a polygon of this extent; the index is that of a corner.
template <class T>
COLONNADE_KERNEL_CODE sieve_frame<T> frame_of(point_of<T> corner, uint32_t index, T last_x,
                                              uint32_t columns) {
  const T first_x = corner.x;
  using number = sieve_number<T>;
  constexpr double least = sizeof(number) == 4 ? 0x1p-90 : 0x1p-980,
                   most = sizeof(number) == 4 ? 0x1p110 : 0x1p1000;
  const double width = static_cast<double>(last_x) - static_cast<double>(first_x);
  if (!(width > least && width < most))
    return {first_x, first_x, 0, corner, index};
  return {first_x, last_x, static_cast<number>(columns / width), corner, index};
}

/// The edge of a hood that reaches beyond x, which is between its ends: the vertex before it.
/// point(i): its vertices, by x.
template <class Point>
COLONNADE_KERNEL_CODE uint32_t edge_at(double x, uint32_t num_vertices, Point point) {
  return last_place(0u, num_vertices - 1,
                    [&](uint32_t i) { return static_cast<double>(point(i).x) <= x; });
}
/// The same, not before this edge.
template <class Point>
COLONNADE_KERNEL_CODE uint32_t next_edge_at(double x, uint32_t edge, uint32_t num_vertices,
                                            Point point) {
  while (edge + 2 < num_vertices && static_cast<double>(point(edge + 1).x) <= x)
    ++edge;
  return edge;
}
/// The y of an edge at x.
template <class Point>
COLONNADE_KERNEL_CODE double height_at(double x, uint32_t edge, Point point) {
  const auto a = point(edge), b = point(edge + 1);
  const double ax = a.x, ay = a.y, bx = b.x, by = b.y;
  return ay + (by - ay) * ((x - ax) / (bx - ax));
}

/// The line through the chord of a hood in one column, moved inwards; inwards: -1 for the upper
/// hood; bends: the hood's vertices in the column. False if that is not sure.
template <class T, class Point>
COLONNADE_KERNEL_CODE bool make_chord(const sieve_frame<T> &frame, uint32_t column,
                                      uint32_t columns, double inwards, uint32_t num_vertices,
                                      Point point, sieve_number<T> &slope, sieve_number<T> &at,
                                      uint32_t &bends) {
  using number = sieve_number<T>;
  constexpr double unit = sizeof(number) == 4 ? 0x1p-24 : 0x1p-53, // half an ulp
      least = sizeof(number) == 4 ? 0x1p-120 : 0x1p-1000,
                   most = sizeof(number) == 4 ? 0x1p120 : 0x1p1000;
  const double first = frame.first_x, last = frame.last_x, width = last - first;
  // A point may come to a column that it misses by far less than this share of it.
  const double left = first + width * ((column - 0x1p-7) / columns),
               right = first + width * ((column + 1 + 0x1p-7) / columns);
  const double x1 = left > first ? left : first, x2 = right < last ? right : last;
  const uint32_t edge1 = edge_at(x1, num_vertices, point),
                 edge2 = next_edge_at(x2, edge1, num_vertices, point);
  bends = edge2 - edge1;
  const double y1 = height_at(x1, edge1, point), y2 = height_at(x2, edge2, point);
  slope = static_cast<number>((y2 - y1) / (x2 - x1));
  // Both ends decide: the slope is rounded.
  const double at1 = y1 - static_cast<double>(slope) * (x1 - first),
               at2 = y2 - static_cast<double>(slope) * (x2 - first);
  const double inner = (at1 < at2) == (inwards < 0) ? at1 : at2;
  const double size = std::fabs(y1) + std::fabs(y2) +
                      std::fabs(static_cast<double>(slope)) * width + std::fabs(inner);
  at = static_cast<number>(inner + inwards * (32 * unit * size + least));
  return size < most; // not if it is a NaN
}

} // namespace colonnade::detail

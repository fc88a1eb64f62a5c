//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// check.hpp: what is asked of a hull: every vertex is a point, the vertices go round once, every
// turn is strictly to the left, and no point is outside.
//
// In: points, and the indices of the vertices. Out: the first of these that does not hold of a
// vertex or a point. Invariant: all decisions are exact; no index is used that is out of range.
//
// Why that is enough: with turns to the left alone, vertices go round once if they first rise and
// then fall, in lexicographic order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/last_place.hpp>
#include <colonnade/detail/exact/finite.hpp>
#include <colonnade/hull_points.hpp>
#include <colonnade/hull_side.hpp>

namespace colonnade::detail {

template <class T>
COLONNADE_HOST_DEVICE bool comes_before(const point_of<T> &a, const point_of<T> &b) {
  return is_less(a.x, b.x) || (is_equal(a.x, b.x) && is_less(a.y, b.y));
}

template <class Points, class Index> struct given_hull {
  using coordinate = typename Points::coordinate;
  Points points;
  uint64_t num_points;
  const Index *hull;
  uint64_t num_vertices;

  COLONNADE_HOST_DEVICE bool in_range(uint64_t i) const { return hull[i] < num_points; }
  COLONNADE_HOST_DEVICE point_of<coordinate> vertex(uint64_t i) const {
    return points[hull[i < num_vertices ? i : i - num_vertices]];
  }
  /// Whether vertex i is the largest.
  COLONNADE_HOST_DEVICE bool is_top(uint64_t i) const {
    return !comes_before(vertex(i), vertex(i + num_vertices - 1)) &&
           !comes_before(vertex(i), vertex(i + 1));
  }
  /// At vertex i, all of whose neighbours are in range. top: a vertex for which is_top holds.
  COLONNADE_HOST_DEVICE bool is_right(uint64_t i, uint64_t top) const {
    if (num_vertices == 1)
      return true;
    const bool rises = comes_before(vertex(i), vertex(i + 1)),
               falls = comes_before(vertex(i + 1), vertex(i));
    if (i < top ? !rises : !falls)
      return false;
    return num_vertices == 2 || orientation(vertex(i), vertex(i + 1), vertex(i + 2)) > 0;
  }
  /// Of a hull that is right at all vertices: its largest one.
  COLONNADE_HOST_DEVICE uint64_t find_top() const {
    return num_vertices == 1 ? 0 : last_place(uint64_t{0}, num_vertices, [&](uint64_t i) {
      return comes_before(vertex(i - 1), vertex(i));
    });
  }
  /// On which side of the edge below (half 0) or above p, 1: the inner one. p is neither smaller
  /// than all vertices nor larger; there are two at least.
  COLONNADE_HOST_DEVICE int orientation_at(const point_of<coordinate> &p, uint64_t top,
                                           uint32_t half) const {
    const uint64_t edge =
        half == 0
            ? last_place(uint64_t{0}, top, [&](uint64_t i) { return !comes_before(p, vertex(i)); })
            : last_place(top, num_vertices,
                         [&](uint64_t i) { return !comes_before(vertex(i), p); });
    return orientation(vertex(edge), vertex(edge + 1), p);
  }
  /// 1: p is inside; 0: on the boundary; -1: outside.
  COLONNADE_HOST_DEVICE int side(const point_of<coordinate> &p, uint64_t top) const {
    if (comes_before(p, vertex(0)) || comes_before(vertex(top), p))
      return -1;
    if (num_vertices == 1)
      return 0;
    const int below = orientation_at(p, top, 0);
    if (below < 0)
      return -1;
    const int above = orientation_at(p, top, 1);
    return above < 0 ? -1 : below > 0 && above > 0;
  }
  COLONNADE_HOST_DEVICE bool has_outside(const point_of<coordinate> &p, uint64_t top) const {
    return side(p, top) < 0;
  }
};

/// Where queries lie; what is not finite is outside.
template <class Points, class Index, class Queries> struct hull_sides {
  static_assert(std::is_same_v<typename Points::coordinate, typename Queries::coordinate>,
                "convex hull: queries have the type of the points");
  given_hull<Points, Index> hull;
  Queries queries;

  COLONNADE_HOST_DEVICE hull_side side(uint64_t i, uint64_t top) const {
    const auto p = queries[i];
    return hull.num_vertices && is_finite(p) ? static_cast<hull_side>(hull.side(p, top))
                                             : hull_side::outside;
  }
};

} // namespace colonnade::detail

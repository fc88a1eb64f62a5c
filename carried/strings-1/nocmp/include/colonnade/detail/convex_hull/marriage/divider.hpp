//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// divider.hpp: a warp divides points of a subproblem: some for each thread at once, first roughly,
// and exactly what is then not sure.
//
// The chain of an edge of the quadrilateral turns by 90 degrees at most, so it is monotone along an
// axis, and so are the triangles between it and its tangents: a point that comes before m cannot be
// outside of the edge from m to r. One orientation tells a point's part.
//
// In: points, and of a subproblem l, m and r. Out: the points' parts, and the farthest point of
// each part. Invariant: every decision is exact.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/marriage/farthest_search.hpp>

namespace colonnade::detail {

/// Whether a point that differs so much from m falls to the part from m to r, if to any.
template <class T>
COLONNADE_KERNEL_CODE bool comes_after_m(uint32_t edge,
                                         const rough_vector<rough_number<T>> &from_m) {
  const bool before = has_sign(edge % 2 ? from_m.y : from_m.x);
  return before == (edge >= 2);
}
/// 0: the part from l to m, 1: the one from m to r, 2: none, it is within the triangle (l, m, r).
template <class T>
COLONNADE_KERNEL_CODE uint32_t part_of(const hull_problem<T> &problem, const point_of<T> &p) {
  const bool after = comes_after_m<T>(problem.edge, rough_difference(p, problem.m));
  const bool outside =
      orientation(after ? problem.m : problem.l, after ? problem.r : problem.m, p) < 0;
  return outside ? after : 2;
}

/// Of each of a thread's points, a bit.
struct point_parts {
  uint32_t taken; // it is in a part
  uint32_t after; // in the one from m to r

  COLONNADE_KERNEL_CODE bool has(uint32_t k, uint32_t part) const { return part_of(k) == part; }
  /// 2: of none.
  COLONNADE_KERNEL_CODE uint32_t part_of(uint32_t k) const {
    return taken >> k & 1 ? after >> k & 1 : 2;
  }
};

/// What a warp keeps.
template <class T> struct divider_storage {
  hull_problem<T> problem;
  farthest_storage<T, 2> searches;
};

template <class T>
COLONNADE_RARE_CODE uint32_t part_in(const hull_problem<T> *problem, point_of<T> p) {
  return part_of(*problem, p);
}

template <class T, uint32_t Items, class Machine> class point_divider {
public:
  using number = rough_number<T>;
  using storage = divider_storage<T>;

  /// All lanes have the same arguments.
  COLONNADE_KERNEL_CODE point_divider(const Machine &machine, storage &s,
                                      const hull_problem<T> &problem,
                                      const direction<T> (&along)[2])
      : machine_(machine), s_(s), searches_(machine, s.searches), m_(problem.m),
        edge_(problem.edge),
        edges_{rough_difference(problem.m, problem.l), rough_difference(problem.r, problem.m)} {
    if (machine_.lane() == 0)
      s_.problem = problem;
    searches_.begin(0, along[0], farther_end(along[0], problem.l, problem.m));
    searches_.begin(1, along[1], farther_end(along[1], problem.m, problem.r));
  }

  /// By all lanes. exist: a bit for each point; place(k): of point k.
  template <class Place>
  COLONNADE_KERNEL_CODE point_parts divide(const point_of<T> (&points)[Items], uint32_t exist,
                                           const Place &place) {
    const point_parts parts = parts_of(points, exist);
    searches_.add(points, m_, [&](uint32_t k) { return parts.part_of(k); }, place);
    return parts;
  }
  COLONNADE_KERNEL_CODE farthest<T> farthest_of_part(uint32_t part) const {
    return searches_.of_warp(part);
  }

private:
  COLONNADE_KERNEL_CODE point_parts parts_of(const point_of<T> (&points)[Items],
                                             uint32_t exist) const {
    uint32_t after = 0, outside = 0, unsure = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      const auto from_m = rough_difference(points[k], m_);
      const bool is_after = comes_after_m<T>(edge_, from_m);
      const rough_vector<number> edge{is_after ? edges_[1].x : edges_[0].x,
                                      is_after ? edges_[1].y : edges_[0].y};
      const auto side = rough_cross(edge, from_m);
      after |= static_cast<uint32_t>(is_after) << k;
      outside |= static_cast<uint32_t>(side.is_surely_negative()) << k;
      unsure |= static_cast<uint32_t>(!side.is_surely_negative() && !side.is_surely_positive())
                << k;
    }
    for (unsure &= exist; unsure != 0; unsure &= unsure - 1) { // few: one after the other
      const uint32_t which = Machine::first_one(unsure);
      point_of<T> p = points[0];
      COLONNADE_UNROLL
      for (uint32_t k = 1; k < Items; ++k)
        p = k == which ? points[k] : p;
      outside |= static_cast<uint32_t>(part_in(&s_.problem, p) < 2) << which;
    }
    return {outside & exist, after};
  }

  const Machine &machine_;
  storage &s_;
  farthest_searches<T, 2, Machine> searches_;
  point_of<T> m_;
  uint32_t edge_;
  rough_vector<number> edges_[2];
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convex_hull_boundary.cuh: all points on the boundary of the convex hull of points in the plane,
// on the GPU, exact: those within edges and those in one place too.
//
//   convex_hull_boundary  indices of the points on the boundary
//
// As convex_hull of convex_hull.cuh, but for this:
//   d_hull       counter-clockwise from the lexicographically smallest point, those in one place by
//                index. All points on one line: each once, from the smallest to the largest. Of the
//                lower or the upper hull: the points on it, left to right
//   d_num_hull   the number of points on the boundary
//   work         besides O(n log h) for h vertices, and a sort of the m points on the boundary by
//                one coordinate
//   traffic      besides every point is read twice, and those on the boundary four times
//   temporary    the more of what the hull takes and two words of x and two indices a point; and a
//                byte a point, 2 % and 64 KB: of floats and integers 2.15 times the input, of
//                doubles 1.6, and 320 KB; at most 2.5 times the input, or 48 KB; less if the policy
//                says so
//   portions     as of convex_hull, but what has no room between two portions is a boundary of more
//                points than a quarter of a portion's: so where all points are on one line, say
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/boundary_launch.cuh>
#include <colonnade/detail/convex_hull/portions_launch.cuh>

namespace colonnade {

template <class Points, class Index, class Policy = convex_hull_policy>
[[nodiscard]] cudaError_t
convex_hull_boundary(void *d_temp_storage, size_t &temp_storage_bytes, Points points,
                     item_count num_points, Index *d_hull, uint64_t capacity, uint64_t *d_num_hull,
                     hull_options what = {}, run_options options = {}, Policy = {}) {
  using vertices = detail::index_vertices<Index>;
  return detail::convex_hull_call<
      detail::any_number_run<Policy, Points, vertices,
                             detail::boundary_run<Policy, Points, vertices>>,
      detail::hull_input::in_any_order>(d_temp_storage, temp_storage_bytes, points, num_points,
                                        what, vertices{d_hull}, capacity, d_num_hull, options);
}

} // namespace colonnade

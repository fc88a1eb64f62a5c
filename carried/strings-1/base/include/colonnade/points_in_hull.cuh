//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// points_in_hull.cuh: whether points lie inside a convex hull, on its boundary or outside, on the
// GPU, exact.
//
//   points_in_hull  a hull_side for each query
//
// q queries, a hull of h vertices of n points:
//   points        those of the hull, as for convex_hull
//   d_hull        indices of the vertices of the whole hull, as convex_hull gives them by default
//                 (check_convex_hull tells whether they are one; with others, sides are anything)
//   num_vertices  a number, or item_count{d_num_vertices, at_most}: read on the device; 0: all
//                 queries are outside
//   queries       points of the same type, interleaved or separate; one that is not finite is
//                 outside
//   work          O(q log h); depth O(log h)
//   traffic       reads every query once, and log h vertices for each
//   temporary     none: one byte is asked for, as by every call
//   determinism   the same sides on every run and GPU
//   aliasing      d_sides is apart from all inputs
//   synchronises  never; graph-capturable; all work is queued on options.stream
//   returns       cudaErrorInvalidValue, before any CUDA call, for null, unaligned or overlapping
//                 arrays, 2^56 points, vertices or queries or more, too little storage; else what
//                 CUDA calls return
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/points_in_hull_launch.cuh>

namespace colonnade {

template <class Points, class Index, class Queries>
[[nodiscard]] cudaError_t
points_in_hull(void *d_temp_storage, size_t &temp_storage_bytes, Points points, uint64_t num_points,
               const Index *d_hull, item_count num_vertices, Queries queries, uint64_t num_queries,
               hull_side *d_sides, run_options options = {}) {
  static_assert(std::is_unsigned_v<Index>, "convex hull: indices are unsigned integers");
  const auto vertex_bytes = num_vertices.most * sizeof(Index);
  if ((num_points | num_vertices.most | num_queries) >> 56 != 0 ||
      (d_temp_storage && (!points.valid(num_points) || !queries.valid(num_queries) ||
                          !detail::valid_array(d_hull, num_vertices.most) ||
                          !detail::valid_array(d_sides, num_queries) ||
                          !points.apart_from(num_points, d_sides, num_queries) ||
                          !queries.apart_from(num_queries, d_sides, num_queries) ||
                          !detail::apart(d_sides, num_queries, d_hull, vertex_bytes))))
    return cudaErrorInvalidValue;
  return detail::find_sides(
      d_temp_storage, temp_storage_bytes,
      detail::hull_sides<Points, Index, Queries>{{points, num_points, d_hull, 0}, queries},
      num_vertices, num_queries, d_sides, options);
}

} // namespace colonnade

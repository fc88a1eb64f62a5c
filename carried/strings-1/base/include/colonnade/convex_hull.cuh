//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// convex_hull.cuh: the convex hull of points in the plane, on the GPU, exact.
//
//   convex_hull          indices of the vertices
//   convex_hull_points   their coordinates, the bits as in the input
//   convex_hull_by_x     indices, of points that come by x: nothing is sorted
//
// Common to all, n points, of which m are left by the filter (by_x: all), h vertices:
//   points       interleaved_points or separate_points (hull_points.hpp) of float, double or
//                int32_t
//   num_points   a number, or item_count{d_num_points, at_most}: read on the device. 2^32 points
//                and more, or as many as the policy says, go by portions, which are hulled one
//                after the other and joined
//   d_hull       the vertices, counter-clockwise from the lexicographically smallest point: points
//                within an edge are none. Of points in one place, the one with the smallest index.
//                All points equal: one vertex; all on one line: two. options.part: the lower or
//                the upper hull alone, left to right, from the lowest (highest) leftmost to the
//                lowest (highest) rightmost point; vertical edges belong to neither
//   capacity     vertices that d_hull has room for: the first min(h, capacity) are written, and if
//                h is more, the status says buffer_too_small, with h. d_hull null: they are
//                only counted
//   d_num_hull   always h
//   work         O(n + m log m); depth O(n / (tile * blocks) + log^2 m); up to 3,584 points in one
//                launch
//   traffic      one pass that reads all points; where m is large, a sort of m words of x with
//                their indices and a pass that gathers m points
//   m            points that a polygon around sampled ones does not surely contain: about 0.3 % of
//                a disc, all of a circle. A few tens of thousands are reduced by tiles, not sorted
//   temporary    at most 2.5 times the input; less if the policy says so. Two words of x and two
//                indices a point: 2 times the input (doubles: 1.5), and 2 % of that and 256 KB;
//                by_x: two coordinates and an index a point, 2 % and 64 KB. The first call, with
//                d_temp_storage null, computes it
//   portions     a hull of more vertices than a quarter of a portion's points has no room between
//                two portions: overflow in the status, with how many it has, and *d_num_hull is 0
//   exactness    every decision is that of exact arithmetic, for all finite coordinates, whatever
//                options the code is compiled with (fast-math, flush to zero, contraction)
//   special      -0.0 equals 0.0. A coordinate that is infinite or NaN: value_out_of_range in the
//                status, with the smallest index of such a point, and *d_num_hull is 0. by_x: the
//                same for a point whose x is less than its predecessor's: index_out_of_range
//   determinism  the same bits on every run, GPU and policy. In another order of the points the
//                vertices have the same coordinates
//   aliasing     inputs and outputs are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or overlapping
//                arrays, more points than Index can count, too little storage; else what CUDA
//                calls return
//
// Source: H. Wagener's algorithm by hoods, after C. O Dunlaing, CUDA implementation of Wagener's 2D
// convex hull PRAM algorithm (2018).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/portions_launch.cuh>

namespace colonnade {

template <class Points, class Index, class Policy = convex_hull_policy>
[[nodiscard]] cudaError_t
convex_hull(void *d_temp_storage, size_t &temp_storage_bytes, Points points, item_count num_points,
            Index *d_hull, uint64_t capacity, uint64_t *d_num_hull, hull_options what = {},
            run_options options = {}, Policy = {}) {
  return detail::convex_hull_call<
      detail::any_number_run<Policy, Points, detail::index_vertices<Index>>,
      detail::hull_input::in_any_order>(d_temp_storage, temp_storage_bytes, points, num_points,
                                        what, detail::index_vertices<Index>{d_hull}, capacity,
                                        d_num_hull, options);
}

/// Points that come by x; those of one x in any order.
template <class Points, class Index, class Policy = convex_hull_policy>
[[nodiscard]] cudaError_t
convex_hull_by_x(void *d_temp_storage, size_t &temp_storage_bytes, Points points,
                 item_count num_points, Index *d_hull, uint64_t capacity, uint64_t *d_num_hull,
                 hull_options what = {}, run_options options = {}, Policy = {}) {
  return detail::convex_hull_call<
      detail::any_number_run<Policy, Points, detail::index_vertices<Index>>,
      detail::hull_input::by_x>(d_temp_storage, temp_storage_bytes, points, num_points, what,
                                detail::index_vertices<Index>{d_hull}, capacity, d_num_hull,
                                options);
}

/// d_hull: x0 y0 x1 y1 ..., 2 * capacity numbers.
template <class Points, class Policy = convex_hull_policy>
[[nodiscard]] cudaError_t convex_hull_points(void *d_temp_storage, size_t &temp_storage_bytes,
                                             Points points, item_count num_points,
                                             typename Points::coordinate *d_hull, uint64_t capacity,
                                             uint64_t *d_num_hull, hull_options what = {},
                                             run_options options = {}, Policy = {}) {
  return detail::convex_hull_call<
      detail::any_number_run<Policy, Points,
                             detail::coordinate_vertices<typename Points::coordinate>>,
      detail::hull_input::in_any_order>(
      d_temp_storage, temp_storage_bytes, points, num_points, what,
      detail::coordinate_vertices<typename Points::coordinate>{d_hull}, capacity, d_num_hull,
      options);
}

} // namespace colonnade

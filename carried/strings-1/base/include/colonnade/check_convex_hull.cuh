//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// check_convex_hull.cuh: whether given vertices are the convex hull of given points, on the GPU,
// exact.
//
//   check_convex_hull  strictly convex, counter-clockwise from the lexicographically smallest
//                      point, every vertex a point, no point outside: what convex_hull gives by
//                      default
//
// n points, h vertices:
//   points        as for convex_hull, all finite
//   num_vertices  a number, or item_count{d_num_vertices, at_most}: read on the device
//   d_check       hull_check{} if all is right, else the first fault (hull_check.hpp)
//   work          O(n log h); depth O(log h)
//   traffic       reads every point once, and log h vertices for each
//   temporary     512 bytes; the first call, with d_temp_storage null, computes it
//   determinism   the same result on every run and GPU
//   aliasing      d_check is apart from all inputs
//   synchronises  never; graph-capturable; all work is queued on options.stream
//   returns       cudaErrorInvalidValue, before any CUDA call, for null, unaligned or overlapping
//                 arrays, 2^56 points or vertices or more, too little storage; else what CUDA calls
//                 return
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/check_launch.cuh>

namespace colonnade {

template <class Points, class Index>
[[nodiscard]] cudaError_t check_convex_hull(void *d_temp_storage, size_t &temp_storage_bytes,
                                            Points points, uint64_t num_points, const Index *d_hull,
                                            item_count num_vertices, hull_check *d_check,
                                            run_options options = {}) {
  static_assert(std::is_unsigned_v<Index>, "convex hull: indices are unsigned integers");
  if (num_points >> 56 != 0 || num_vertices.most >> 56 != 0 ||
      (d_temp_storage &&
       (!points.valid(num_points) || !detail::valid_array(d_hull, num_vertices.most) || !d_check ||
        !detail::valid_array(d_check, 1) ||
        !points.apart_from(num_points, d_check, sizeof(hull_check)) ||
        !detail::apart(d_hull, num_vertices.most, d_check, sizeof(hull_check)))))
    return cudaErrorInvalidValue;
  return detail::check_hull(d_temp_storage, temp_storage_bytes, points, num_points, d_hull,
                            num_vertices, d_check, options);
}

} // namespace colonnade

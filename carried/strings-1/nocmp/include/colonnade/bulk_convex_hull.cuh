//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_convex_hull.cuh: the convex hulls of many sets of points in the plane, by one call, exact.
//
//   bulk_convex_hull         every hull at its set's own offset, and how many vertices it has
//   bulk_convex_hull_packed  one hull behind the other, and where each begins
//
// Common to both, n points in p sets of any sizes, 0 included:
//   points       interleaved_points or separate_points (hull_points.hpp) of float, double or
//                int32_t; fewer than 2^32
//   d_offsets    p + 1 unsigned integers in device memory: set s has the points d_offsets[s] to
//                d_offsets[s + 1] - 1
//   d_hulls      indices of the vertices, among all points; each hull in the order that
//                convex_hull.cuh describes, what.part of it. Null: vertices are only counted
//   d_counts     (not packed) p numbers of vertices of 32 bits; d_hulls has room for n indices, the
//                hull of set s begins at d_offsets[s], and what is behind it stays as it was
//   capacity, d_hull_offsets
//                (packed) p + 1 offsets, the last one the number of all vertices; the first
//                `capacity` are written, and if there are more, the status says buffer_too_small
//   what.by_x    the points of each set come by x, those of one x in any order: nothing is sorted
//   what.longest no set has more points than that: up to 4,096 (doubles: 3,072) it saves launches
//                and storage
//   work         O(m log^2 m) for each set of m points; one thread takes a set of up to 32 points,
//                and of one of up to 512 what a polygon of extreme points leaves, if that is up to
//                64 points; a block takes sets of up to 512 or 4,096 (doubles: 3,072), and of up to
//                65,535 those of which a polygon leaves up to 3,072 points; the others are found
//                together, sorted by x and by set, as in convex_hull.cuh
//   traffic      points of sets of up to 32 are read once, of up to 4,096 once and those again that
//                a polygon of extreme points does not contain, of up to 65,535 twice and those
//                (packed hulls: four times)
//   temporary    4 bytes a set and 64 KB; where n and longest are above 4,096 (3,072): two words of
//                x and two indices a point (by_x: two coordinates and an index) and 2 %; packed: 4
//                bytes a set, and where nothing is sorted 4 a point. At most 2.5 times the input,
//                or 8 KB. The first call, with d_temp_storage null, computes it
//   exactness, special, determinism
//                as in convex_hull.cuh. A set with a point that is not finite, or (by_x) to the
//                left of its predecessor, has no vertices, and the status has the smallest index of
//                such a point; the other sets are as they would be without it
//   bad sets     one that ends before it begins, or beyond the points, or is longer than promised
//                has no vertices, and is reported as bucket_out_of_range with its number. Where
//                offsets go back, others that have more points in all than there are may share that
//   aliasing     inputs and outputs are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or overlapping
//                arrays, 2^32 points or sets or more, too little storage; else what CUDA calls
//                return
//
// Source: as convex_hull.cuh; sets of one thread: A. Andrew, Another efficient algorithm for convex
// hulls in two dimensions (1979), on one stack, after a sorting network (K. E. Batcher, 1968).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/bulk/bulk_dispatch.cuh>

namespace colonnade {

template <class Points, class Offset, class Index, class Policy = bulk_hull_policy>
[[nodiscard]] cudaError_t
bulk_convex_hull(void *d_temp_storage, size_t &temp_storage_bytes, Points points,
                 uint64_t num_points, const Offset *d_offsets, uint64_t num_sets, Index *d_hulls,
                 uint32_t *d_counts, bulk_hull_options what = {}, run_options options = {},
                 Policy = {}) {
  return detail::bulk_convex_hull_call<Policy>(
      d_temp_storage, temp_storage_bytes, points, num_points, d_offsets, num_sets, what,
      detail::hulls_at_offsets<Index>{d_hulls, d_counts}, options);
}

template <class Points, class Offset, class Index, class Policy = bulk_hull_policy>
[[nodiscard]] cudaError_t
bulk_convex_hull_packed(void *d_temp_storage, size_t &temp_storage_bytes, Points points,
                        uint64_t num_points, const Offset *d_offsets, uint64_t num_sets,
                        Index *d_hulls, uint64_t capacity, uint64_t *d_hull_offsets,
                        bulk_hull_options what = {}, run_options options = {}, Policy = {}) {
  return detail::bulk_convex_hull_call<Policy>(
      d_temp_storage, temp_storage_bytes, points, num_points, d_offsets, num_sets, what,
      detail::packed_hulls<Index>{d_hulls, capacity, d_hull_offsets}, options);
}

} // namespace colonnade

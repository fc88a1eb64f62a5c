//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_convex_hull.hpp: the convex hull of points in the plane, and its check, on the host.
//
//   host_convex_hull        as convex_hull of convex_hull.cuh: the same vertices, in the same order
//   host_convex_hull_boundary
//                           as convex_hull_boundary of convex_hull_boundary.cuh
//   host_check_convex_hull  as check_convex_hull of check_convex_hull.cuh
//   host_points_in_hull     as points_in_hull of points_in_hull.cuh
//
// In: points in host memory. Out: indices of vertices; the status as convex_hull would report it.
// Invariant: every decision is exact; no CUDA.
//
// Complexity: work O(n log n) on one thread; memory 12 bytes a point, boundaries up to 38.
//
// Source: A. Andrew, Another efficient algorithm for convex hulls in two dimensions (1979).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/convex_hull_options.hpp>
#include <colonnade/detail/convex_hull/boundary.hpp>
#include <colonnade/detail/convex_hull/check.hpp>
#include <colonnade/detail/convex_hull/hood.hpp>
#include <colonnade/detail/convex_hull/hull_order.hpp>
#include <colonnade/device_status.hpp>
#include <colonnade/hull_check.hpp>
#include <colonnade/hull_side.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

namespace colonnade {

namespace detail {
inline device_status status_of(data_error error, uint64_t index) {
  return {index << 8 | static_cast<uint64_t>(error)};
}

/// The hood of points by x.
template <class Points, class Place>
std::vector<Place> host_hood(const Points &points, const std::vector<Place> &by_x, hood_side side) {
  std::vector<Place> hood(by_x.size());
  const auto vertex = [&](Place i) {
    return hull_vertex<typename Points::coordinate>{points[i], static_cast<uint32_t>(i)};
  };
  const Place count = make_hood(
      side, Place{0}, static_cast<Place>(by_x.size()), [&](Place i) { return vertex(by_x[i]); },
      [&](Place k) { return vertex(by_x[hood[k]]); }, [&](Place k, Place i) { hood[k] = i; });
  for (Place k = 0; k < count; ++k)
    hood[k] = by_x[hood[k]];
  hood.resize(count);
  return hood;
}
} // namespace detail

namespace detail {

/// The vertices of the hull of finite points, one at least.
template <class Points>
std::vector<uint32_t> host_vertices(const Points &points, uint64_t num_points, hull_part part) {
  std::vector<uint32_t> by_x(num_points);
  std::iota(by_x.begin(), by_x.end(), 0u);
  std::sort(by_x.begin(), by_x.end(),
            [&](uint32_t a, uint32_t b) { return is_less(points[a].x, points[b].x); });
  const std::vector<uint32_t> hoods[2] = {host_hood(points, by_x, hood_side::lower),
                                          host_hood(points, by_x, hood_side::upper)};
  const hull_order order{hoods[0].size(), hoods[1].size(), hoods[0].front() == hoods[1].front(),
                         hoods[0].back() == hoods[1].back(), part};
  std::vector<uint32_t> hull(order.num_vertices());
  for (uint32_t half = 0; half < 2; ++half)
    for (uint64_t i = 0; i < hoods[half].size(); ++i)
      if (const uint64_t place = order.place(half, i); place != hull_order::nowhere)
        hull[place] = hoods[half][i];
  return hull;
}
/// All points on the boundary.
template <class Points>
std::vector<uint32_t> host_boundary(const Points &points, uint64_t num_points, hull_part part) {
  const std::vector<uint32_t> hull = host_vertices(points, num_points, hull_part::whole);
  const boundary_sides<Points, uint32_t> sides{{points, num_points, hull.data(), hull.size()},
                                               part};
  const auto frame = boundary_frame_of(sides.hull);
  using word = decltype(sides.word(boundary_side::lower, points[0]));
  struct item {
    boundary_side side;
    word along;
    uint32_t index;
  };
  std::vector<item> found;
  for (uint32_t i = 0; i < num_points; ++i)
    if (const boundary_side side = sides.side(frame, points[i]); side != boundary_side::none)
      found.push_back({side, sides.word(side, points[i]), i});
  std::sort(found.begin(), found.end(), [](const item &a, const item &b) {
    return std::tie(a.side, a.along, a.index) < std::tie(b.side, b.along, b.index);
  });
  std::vector<uint32_t> boundary;
  for (const item &i : found)
    boundary.push_back(i.index);
  return boundary;
}
} // namespace detail

namespace detail {
/// What is found of finite points, one at least, by find(points, number, part), as a call gives it.
template <class Points, class Index, class Find>
device_status host_hull_call(const Points &points, uint64_t num_points, Index *hull,
                             uint64_t capacity, uint64_t &num_hull, hull_options what, Find find) {
  static_assert(hull_index<Index>, "convex hull: indices are unsigned integers of 32 or 64 bits");
  num_hull = 0;
  for (uint64_t i = 0; i < num_points; ++i)
    if (!is_finite(points[i]))
      return status_of(data_error::value_out_of_range, i);
  if (num_points == 0)
    return {};
  const std::vector<uint32_t> found = find(points, num_points, what.part);
  num_hull = found.size();
  for (uint64_t i = 0; hull && i < num_hull && i < capacity; ++i)
    hull[i] = static_cast<Index>(found[i]);
  if (hull && num_hull > capacity)
    return status_of(data_error::buffer_too_small, num_hull);
  return {};
}
} // namespace detail

/// hull: room for `capacity` vertices, or null. At most 2^32 - 1 points.
template <class Points, class Index>
[[nodiscard]] device_status host_convex_hull(const Points &points, uint64_t num_points, Index *hull,
                                             uint64_t capacity, uint64_t &num_hull,
                                             hull_options what = {}) {
  return detail::host_hull_call(points, num_points, hull, capacity, num_hull, what,
                                detail::host_vertices<Points>);
}
template <class Points, class Index>
[[nodiscard]] device_status host_convex_hull_boundary(const Points &points, uint64_t num_points,
                                                      Index *hull, uint64_t capacity,
                                                      uint64_t &num_hull, hull_options what = {}) {
  return detail::host_hull_call(points, num_points, hull, capacity, num_hull, what,
                                detail::host_boundary<Points>);
}

/// Whether `hull` is the whole hull of the points, which are finite: strictly convex,
/// counter-clockwise from the lexicographically smallest point, and no point is outside.
template <class Points, class Index>
[[nodiscard]] hull_check host_check_convex_hull(const Points &points, uint64_t num_points,
                                                const Index *hull, uint64_t num_vertices) {
  const detail::given_hull<Points, Index> h{points, num_points, hull, num_vertices};
  for (uint64_t i = 0; i < num_vertices; ++i)
    if (!h.in_range(i))
      return {hull_check::word(hull_fault::vertex_is_no_point, i)};
  if (num_vertices == 0)
    return num_points ? hull_check{hull_check::word(hull_fault::point_outside, 0)} : hull_check{};
  uint64_t top = 0;
  while (top + 1 < num_vertices && !h.is_top(top))
    ++top;
  for (uint64_t i = 0; i < num_vertices; ++i)
    if (!h.is_right(i, top))
      return {hull_check::word(hull_fault::not_convex, i)};
  for (uint64_t i = 0; i < num_points; ++i)
    if (h.has_outside(points[i], top))
      return {hull_check::word(hull_fault::point_outside, i)};
  return {};
}

/// Where each query lies; hull: the vertices of a whole hull, as host_convex_hull gives them.
template <class Points, class Index, class Queries>
void host_points_in_hull(const Points &points, uint64_t num_points, const Index *hull,
                         uint64_t num_vertices, const Queries &queries, uint64_t num_queries,
                         hull_side *sides) {
  const detail::hull_sides<Points, Index, Queries> found{{points, num_points, hull, num_vertices},
                                                         queries};
  const uint64_t top = num_vertices ? found.hull.find_top() : 0;
  for (uint64_t i = 0; i < num_queries; ++i)
    sides[i] = found.side(i, top);
}

} // namespace colonnade

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_of_points.hpp: the hull, and its boundary, by the host's functions, which tests compare
// others with.
//
// In: coordinates, x0 y0 x1 y1 ... Out: the indices of the vertices, or of all points on the
// boundary. Invariant: the function succeeds, or the test fails.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/host_convex_hull.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace colonnade::testing {

template <class T> interleaved_points<T> points_in(const std::vector<T> &coordinates) {
  return {coordinates.data()};
}
template <class T>
std::vector<uint64_t> hull_of(const std::vector<T> &coordinates,
                              hull_part part = hull_part::whole) {
  std::vector<uint64_t> hull(coordinates.size() / 2);
  uint64_t num_hull = 0;
  const device_status status = host_convex_hull(points_in(coordinates), coordinates.size() / 2,
                                                hull.data(), hull.size(), num_hull, {part});
  EXPECT_TRUE(status.ok());
  hull.resize(num_hull);
  return hull;
}

template <class T>
std::vector<uint64_t> boundary_of(const std::vector<T> &coordinates, hull_part part) {
  std::vector<uint64_t> found(coordinates.size() / 2);
  uint64_t number = 0;
  EXPECT_TRUE(host_convex_hull_boundary(points_in(coordinates), coordinates.size() / 2,
                                        found.data(), found.size(), number, {part})
                  .ok());
  found.resize(number);
  return found;
}

} // namespace colonnade::testing

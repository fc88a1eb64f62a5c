//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_hull.cuh: the hull by the host's function, which GPU tests compare theirs with.
//
// In: coordinates, x0 y0 x1 y1 ... Out: the indices of the vertices. Invariant: the function
// succeeds, or the test fails.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"

#include <colonnade/host_convex_hull.hpp>

namespace colonnade::testing {

template <class T>
std::vector<uint32_t> host_hull(const std::vector<T> &points, hull_part part = hull_part::whole) {
  std::vector<uint32_t> hull(points.size() / 2);
  uint64_t num_hull = 0;
  EXPECT(host_convex_hull(interleaved_points<T>{points.data()}, hull.size(), hull.data(),
                          hull.size(), num_hull, {part})
             .ok(),
         "on the host");
  hull.resize(num_hull);
  return hull;
}

} // namespace colonnade::testing

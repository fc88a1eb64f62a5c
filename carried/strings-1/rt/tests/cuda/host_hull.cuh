//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_hull.cuh: hulls and boundaries by the host's functions, which GPU tests compare theirs with.
//
// In: coordinates, x0 y0 x1 y1 ... Out: indices. Invariant: the function succeeds, or
// the test fails.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"

#include <colonnade/host_convex_hull.hpp>

namespace colonnade::testing {

/// find(points, number, indices, room, number found): a function of the host.
template <class T, class Find>
std::vector<uint32_t> found_on_host(const std::vector<T> &points, Find find) {
  std::vector<uint32_t> found(points.size() / 2);
  uint64_t number = 0;
  EXPECT(
      find(interleaved_points<T>{points.data()}, found.size(), found.data(), found.size(), number)
          .ok(),
      "on the host");
  found.resize(number);
  return found;
}
template <class T>
std::vector<uint32_t> host_hull(const std::vector<T> &points, hull_part part = hull_part::whole) {
  return found_on_host(points,
                       [&](auto all, uint64_t n, uint32_t *to, uint64_t room, uint64_t &number) {
                         return host_convex_hull(all, n, to, room, number, hull_options{part});
                       });
}
template <class T>
std::vector<uint32_t> host_boundary(const std::vector<T> &points, hull_part part) {
  return found_on_host(
      points, [&](auto all, uint64_t n, uint32_t *to, uint64_t room, uint64_t &number) {
        return host_convex_hull_boundary(all, n, to, room, number, hull_options{part});
      });
}

} // namespace colonnade::testing

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_points.hpp: how the points of a convex hull lie in memory.
//
//   interleaved_points<T>{d_xy}   x0 y0 x1 y1 ..., aligned to 2 sizeof(T): float2, double2, int2
//   separate_points<T>{d_x, d_y}  x0 x1 ... and y0 y1 ...
//
// In: arrays of coordinates T: float, double or int32_t. Out: point i, and whether the arrays are
// valid and apart from others. Invariant: both are plain values that hold pointers; nothing is read
// on the host unless a host function is given host memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/exact/cross.hpp>

#include <cstring>
#include <type_traits>

namespace colonnade {

namespace detail {
template <class T>
constexpr bool hull_coordinate =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, int32_t>;
} // namespace detail

template <class T> struct interleaved_points {
  static_assert(detail::hull_coordinate<T>,
                "convex hull: coordinates are float, double or int32_t");
  using coordinate = T;
  const T *d_coordinates = nullptr;

  COLONNADE_HOST_DEVICE detail::point_of<T> operator[](uint64_t i) const {
    detail::point_of<T> point; // one load of both
    memcpy(&point, __builtin_assume_aligned(d_coordinates + 2 * i, 2 * sizeof(T)), sizeof point);
    return point;
  }
  /// Whether they can be where they are said to be.
  bool valid(uint64_t num_points) const {
    return num_points == 0 || (detail::valid_array(d_coordinates, 2 * num_points) &&
                               reinterpret_cast<uintptr_t>(d_coordinates) % (2 * sizeof(T)) == 0);
  }
  bool apart_from(uint64_t num_points, const void *other, uint64_t bytes) const {
    return detail::apart(d_coordinates, 2 * num_points, other, bytes);
  }
};

template <class T> struct separate_points {
  static_assert(detail::hull_coordinate<T>,
                "convex hull: coordinates are float, double or int32_t");
  using coordinate = T;
  const T *d_x = nullptr, *d_y = nullptr;

  COLONNADE_HOST_DEVICE detail::point_of<T> operator[](uint64_t i) const {
    return {d_x[i], d_y[i]};
  }
  bool valid(uint64_t num_points) const {
    return detail::valid_array(d_x, num_points) && detail::valid_array(d_y, num_points);
  }
  bool apart_from(uint64_t num_points, const void *other, uint64_t bytes) const {
    return detail::apart(d_x, num_points, other, bytes) &&
           detail::apart(d_y, num_points, other, bytes);
  }
};

} // namespace colonnade

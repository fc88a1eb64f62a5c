//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hull_order.hpp: where the vertices of the two hoods stand in the hull, and who writes them.
//
// In: the number of vertices of the lower and of the upper hood, and whether they share their ends.
// Out: how many vertices the hull has, and the place of each: the lower hood from left to right,
// then the upper one from right to left, without the ends that the lower one has too. Invariant:
// counter-clockwise from the lexicographically smallest point; every vertex has one place.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/convex_hull_options.hpp>
#include <colonnade/detail/device/report.hpp>
#include <colonnade/hull_points.hpp>

#include <type_traits>

namespace colonnade::detail {

/// How a call's points come.
enum class hull_input : bool { in_any_order, by_x };
template <hull_input Input> using hull_input_is = std::integral_constant<hull_input, Input>;

struct hull_order {
  uint64_t lower, upper; // vertices of the hoods
  bool shares_first, shares_last;
  hull_part part;

  COLONNADE_HOST_DEVICE bool has(uint32_t half) const {
    return part == hull_part::whole || part == (half ? hull_part::upper : hull_part::lower);
  }
  /// Of the upper hood, those that the lower one has not: [begin, end).
  COLONNADE_HOST_DEVICE uint64_t own_begin() const { return shares_first; }
  COLONNADE_HOST_DEVICE uint64_t own_end() const {
    return upper - (shares_last && upper > own_begin());
  }
  COLONNADE_HOST_DEVICE uint64_t num_vertices() const {
    if (part == hull_part::whole)
      return lower + own_end() - own_begin();
    return part == hull_part::upper ? upper : lower;
  }
  static constexpr uint64_t nowhere = ~uint64_t{0};
  /// Of vertex i of a hood.
  COLONNADE_HOST_DEVICE uint64_t place(uint32_t half, uint64_t i) const {
    if (!has(half))
      return nowhere;
    if (half == 0 || part == hull_part::upper)
      return i;
    return i >= own_begin() && i < own_end() ? lower + own_end() - 1 - i : nowhere;
  }
};

/// The caller's outputs. Vertices: writes vertex k of the hull, whose index in the input is given.
template <class Vertices> struct hull_output {
  Vertices vertices;
  uint64_t capacity;
  uint64_t *num_hull;
  device_status *status; // null: not reported

  /// Of the only hull; of several, there are others.
  COLONNADE_KERNEL_CODE const hull_output &of(uint32_t, uint64_t) const { return *this; }

  template <class Points>
  COLONNADE_KERNEL_CODE void put(const Points &points, uint64_t place, uint32_t index) const {
    if (place < capacity)
      vertices.put(points, place, index);
  }
  /// By one thread.
  template <class Machine>
  COLONNADE_KERNEL_CODE void put_count(const Machine &machine, uint64_t count) const {
    *num_hull = count;
    if (status && vertices.wanted() && count > capacity)
      report_error(machine, status, data_error::buffer_too_small, count);
  }
  /// By one thread. first: the error, as in device_status.
  template <class Machine>
  COLONNADE_KERNEL_CODE void refuse(const Machine &machine, uint64_t first) const {
    *num_hull = 0;
    if (status)
      machine.min_global(&status->first, first);
  }
};

template <class Index>
concept hull_index = std::is_unsigned_v<Index> && sizeof(Index) >= 4;

/// numbers: of a vertex in the output.
template <class Index> struct index_vertices {
  static_assert(hull_index<Index>, "convex hull: indices are unsigned integers of 32 or 64 bits");
  using number = Index;
  static constexpr uint64_t numbers = 1;
  Index *d_hull;
  COLONNADE_KERNEL_CODE bool wanted() const { return d_hull != nullptr; }
  template <class Points>
  COLONNADE_KERNEL_CODE void put(const Points &, uint64_t place, uint32_t index) const {
    d_hull[place] = static_cast<Index>(index);
  }
};
template <class T> struct coordinate_vertices {
  using number = T;
  static constexpr uint64_t numbers = 2;
  T *d_hull; // x0 y0 x1 y1 ...
  COLONNADE_KERNEL_CODE bool wanted() const { return d_hull != nullptr; }
  template <class Points>
  COLONNADE_KERNEL_CODE void put(const Points &points, uint64_t place, uint32_t index) const {
    const point_of<T> point = points[index];
    d_hull[2 * place] = point.x;
    d_hull[2 * place + 1] = point.y;
  }
};

} // namespace colonnade::detail

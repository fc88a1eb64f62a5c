//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// few_in_warp.hpp: the vertices of a subproblem of at most 32 points, all at once, by a warp.
//
// Each lane has a point, and asks for the two others (the ends l and r among them) that it sees
// farthest to its right and to its left. If it is a vertex, all others lie in an angle of less than
// 180 degrees, and these two are its neighbours on the hull; whether it is, is then checked: no
// point may lie to the right of the line to one or of the line from the other, and they must turn
// to the left at the point. How many vertices come before it is counted by orientations at l.
//
// In: the points, strictly to the right of the line from l to r. Out: whether the lane's point is a
// vertex, and its number among them from l on. Invariant: exact; of points in one place the one of
// the lowest lane counts. Work O(32^2), depth 5 orientations for each point: what comes of a
// subproblem by dividing it would be done one after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/marriage/farthest.hpp>

namespace colonnade::detail {

constexpr uint32_t no_vertex = ~uint32_t{0};

/// Called by all lanes. count: 32 at most, the same in all lanes; own: of lanes below it.
template <class T, class Machine>
COLONNADE_KERNEL_CODE uint32_t vertex_of_few(const Machine &machine, const point_of<T> &l,
                                             const point_of<T> &r, const point_of<T> &own,
                                             uint32_t count) {
  const bool exists = machine.lane() < count;
  point_of<T> next = r, previous = l;
  bool is_vertex = exists;
  for (uint32_t k = 0; k < count; ++k) {
    const point_of<T> other = shuffle_point(machine, own, k);
    if (!exists)
      continue;
    if (orientation(own, next, other) < 0)
      next = other;
    if (orientation(own, previous, other) > 0)
      previous = other;
    if (k < machine.lane() && same_place(other, own))
      is_vertex = false;
  }
  // l and r are not to the right of the lines either: they are among those tried.
  is_vertex = is_vertex && orientation(previous, own, next) > 0 && orientation(own, next, l) >= 0 &&
              orientation(previous, own, r) >= 0;
  for (uint32_t k = 0; k < count; ++k) {
    const point_of<T> other = shuffle_point(machine, own, k);
    if (is_vertex)
      is_vertex = orientation(own, next, other) >= 0 && orientation(previous, own, other) >= 0;
  }
  const uint32_t vertices = machine.ballot(is_vertex);
  uint32_t before = 0;
  for (uint32_t rest = vertices; rest != 0; rest &= rest - 1) {
    const uint32_t k = Machine::first_one(rest);
    const point_of<T> other = shuffle_point(machine, own, k);
    before += is_vertex && k != machine.lane() && orientation(l, other, own) > 0;
  }
  return is_vertex ? before : no_vertex;
}

} // namespace colonnade::detail

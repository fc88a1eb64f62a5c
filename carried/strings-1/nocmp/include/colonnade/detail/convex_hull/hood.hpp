//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hood.hpp: hoods, the upper and the lower hull of points by x, and what decides about them.
//
// In: points, by x; points of one x in any order. Out: which of them stand on the hood, and where
// two hoods are joined. Invariant: every decision is exact; a hood is strictly convex and strictly
// x-monotone, and of points in one place it has the one with the smallest index. So the hood of a
// set does not depend on how the set was cut into parts.
//
// Source: H. Wagener's hoods, as C. O Dunlaing describes them (2018); the tangents are found here
// by searches, one nested in the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/exact/cross.hpp>
#include <colonnade/detail/exact/finite.hpp>

// Before a template that host code calls with functions of its own, and kernels with theirs.
#if defined(__CUDACC__)
#define COLONNADE_NO_EXECUTION_CHECK _Pragma("nv_exec_check_disable")
#else
#define COLONNADE_NO_EXECUTION_CHECK
#endif

namespace colonnade::detail {

enum class hood_side : int32_t { lower = -1, upper = 1 };

/// Of a kernel's two halves.
COLONNADE_HOST_DEVICE hood_side side_of(uint32_t half) {
  return half ? hood_side::upper : hood_side::lower;
}

/// Index: a number, or what is compared like one.
template <class T, class Index = uint32_t> struct hull_vertex {
  point_of<T> point;
  Index index; // in the input
};

/// Compares two indices, which are looked up only then: seldom.
template <class Indices, class Place = uint32_t> struct index_at {
  Indices indices;
  Place place;
  COLONNADE_KERNEL_CODE bool operator<(const index_at &other) const {
    return indices(place) < indices(other.place);
  }
};

/// Whether a hood that goes from a over b to c bends at b, as it must.
template <class T>
COLONNADE_HOST_DEVICE bool bends(hood_side side, const point_of<T> &a, const point_of<T> &b,
                                 const point_of<T> &c) {
  return static_cast<int32_t>(side) * orientation(a, b, c) < 0;
}
/// Of two points with one x: whether a is on the hood rather than b.
template <class T, class Index>
COLONNADE_HOST_DEVICE bool stands_before(hood_side side, const hull_vertex<T, Index> &a,
                                         const hull_vertex<T, Index> &b) {
  if (is_equal(a.point.y, b.point.y))
    return a.index < b.index;
  return is_less(b.point.y, a.point.y) == (side == hood_side::upper);
}

/// The hood of points begin to end - 1, by x, kept as a stack: vertex(i) is point i, stacked(k)
/// what is the k-th on the stack, stack(k, i) puts point i there. Returns how many are on it. One
/// decision a step, so that lanes which take and lanes which drop go on together; the two topmost
/// are at hand.
COLONNADE_NO_EXECUTION_CHECK
template <class Place, class Vertex, class Stacked, class Stack>
COLONNADE_HOST_DEVICE Place make_hood(hood_side side, Place begin, Place end, Vertex vertex,
                                      Stacked stacked, Stack stack) {
  if (begin == end)
    return 0;
  auto top = vertex(begin), under = top;
  stack(Place{0}, begin);
  Place count = 1;
  for (Place i = begin + 1; i < end;) {
    const auto next = vertex(i);
    bool drops;
    if (count > 0 && is_equal(top.point.x, next.point.x)) {
      drops = stands_before(side, next, top);
      if (!drops) {
        ++i;
        continue;
      }
    } else {
      drops = count > 1 && !bends(side, under.point, top.point, next.point);
    }
    if (drops) {
      --count;
      top = under;
      if (count > 1)
        under = stacked(count - 2);
    } else {
      stack(count++, i++);
      under = top;
      top = next;
    }
  }
  return count;
}

/// Which places of a range are looked at at once: so many, in equal steps; or, where what is looked
/// for is expected near the begin, mostly there: it need not be.
struct probed_places {
  uint32_t begin, step, log2_count; // step 0: near the begin

  COLONNADE_KERNEL_CODE probed_places(uint32_t range_begin, uint32_t range_end,
                                      uint32_t log2_places, bool near)
      : begin(range_begin), step((range_end - range_begin) >> log2_places),
        log2_count(log2_places) {
    step = near ? 0 : step ? step : 1;
  }
  COLONNADE_KERNEL_CODE uint32_t operator[](uint32_t i) const { return begin + offset(i); }
  /// Those behind the one before place i.
  COLONNADE_KERNEL_CODE uint32_t begin_of(uint32_t i) const {
    return i > 0 ? begin + offset(i - 1) + 1 : begin;
  }

private:
  COLONNADE_KERNEL_CODE uint32_t offset(uint32_t i) const {
    if (step != 0)
      return step * (i + 1) - 1;
    const uint32_t half = 1u << log2_count >> 1; // of many, half are neighbours
    if (half < 8)
      return (1u << 2 * i) - 1;
    const uint32_t doublings = i - half + 1;
    return i < half ? i : (half << (doublings < 20 ? doublings : 20)) - 1;
  }
};

/// Searches by one thread alone.
struct search_alone {
  /// The first place of [begin, end) where `found` holds, which from there on holds everywhere; or
  /// end.
  template <class Found>
  COLONNADE_KERNEL_CODE uint32_t first(uint32_t begin, uint32_t end, Found found) const {
    while (begin < end) {
      const uint32_t middle = begin + (end - begin) / 2;
      if (found(middle))
        end = middle;
      else
        begin = middle + 1;
    }
    return begin;
  }
};

/// The same by groups of neighbouring lanes, each in its own range: as many places are looked at at
/// once as a group has lanes. near: it is expected near the begin. Called by all lanes of a warp.
template <class Machine> struct search_by_group {
  const Machine &machine;
  uint32_t log2_lanes; // of a group

  template <class Found>
  COLONNADE_KERNEL_CODE uint32_t first(uint32_t begin, uint32_t end, Found found,
                                       bool near = false) const {
    const uint32_t lanes = 1u << log2_lanes, mine = machine.lane() & (lanes - 1),
                   group = machine.lane() - mine, group_bits = ~0u >> (32 - lanes);
    for (; machine.ballot(begin < end) != 0; near = false) {
      const probed_places places(begin, end, log2_lanes, near);
      const bool holds = places[mine] >= end || found(places[mine]); // those behind the end hold
      const uint32_t holding = machine.ballot(holds) >> group & group_bits;
      const uint32_t at = holding ? Machine::first_one(holding) : lanes;
      begin = places.begin_of(at);
      end = at < lanes && places[at] < end ? places[at] : end;
    }
    return begin;
  }
};

/// Of one range, by all groups of so many lanes of a warp: as many places are looked at at once as
/// there are groups, and each group searches for itself in what it is asked. Called by all lanes.
template <class Machine> struct search_among_groups {
  const Machine &machine;
  uint32_t log2_lanes; // of a group

  template <class Found>
  COLONNADE_KERNEL_CODE uint32_t first(uint32_t begin, uint32_t end, Found found,
                                       bool near = false) const {
    for (const uint32_t mine = machine.lane() >> log2_lanes; begin < end; near = false) {
      const probed_places places(begin, end, 5 - log2_lanes, near);
      const uint32_t place = places[mine], last = end - 1;
      const bool holds = found(place < last ? place : last); // of all lanes
      const uint32_t holding = machine.ballot(holds || place > last);
      const uint32_t at = (holding ? Machine::first_one(holding) : 32) >> log2_lanes;
      begin = places.begin_of(at);
      end = holding && places[at] < end ? places[at] : end;
    }
    return begin;
  }
};

/// The end of a hood where it meets another.
enum class hood_end : bool { first, last };

/// As Search::first() does, where it is expected near that end of the range.
template <class Search, class Found>
COLONNADE_KERNEL_CODE uint32_t first_near(const Search &search, hood_end end_of_range,
                                          uint32_t begin, uint32_t end, Found found) {
  if (end_of_range == hood_end::first)
    return search.first(begin, end, found, true);
  // From the end backwards, the first place where it does not hold.
  return end - search.first(0, end - begin, [&](uint32_t i) { return !found(end - 1 - i); }, true);
}

/// Drops what does not stand where the left hood ends and the right one begins with one x. One of
/// the two may be empty afterwards.
template <class Left, class Right>
COLONNADE_KERNEL_CODE void part_hoods(hood_side side, Left &left, Right &right) {
  const auto last = left.at(left.last()), first = right.at(right.first());
  if (!is_equal(last.point.x, first.point.x))
    return;
  if (stands_before(side, last, first))
    right.drop_first();
  else
    left.drop_last();
}

template <class LeftPosition, class RightPosition> struct hood_bridge {
  LeftPosition left;   // the last vertex that stays
  RightPosition right; // the first one that stays
};

/// Where the hood of both leaves the left one and reaches the right one. Neither is empty, and all
/// of the left one has a smaller x; or both are empty, and nothing is found. A vertex v of the left
/// hood is the bridge's end from where on its successor is not beyond the tangent from v to the
/// right hood; a vertex w of the right hood is touched by that tangent from where on its successor
/// is below the line from v to w. Both are mostly near where the hoods meet, if these have many
/// vertices.
/// Each vertex of the left one that `search` looks at is asked by `inner` for its tangent; `last`
/// looks for where that from the bridge's end goes.
template <class Search, class Inner, class Last, class Left, class Right>
COLONNADE_KERNEL_CODE auto find_bridge(const Search &search, const Inner &inner, const Last &last,
                                       hood_side side, const Left &left, const Right &right) {
  const auto touches = [&](const auto &v, const auto &w) {
    return !right.has_next(w) ||
           bends(side, v.point, right.at(w).point, right.at(right.next(w)).point);
  };
  const auto from = left.find(search, hood_end::last, [&](const auto &at) {
    const auto v = left.at(at);
    const auto touched =
        right.at(right.find(inner, hood_end::first, [&](const auto &w) { return touches(v, w); }));
    return !left.has_next(at) || !bends(side, v.point, left.at(left.next(at)).point, touched.point);
  });
  const auto to =
      right.find(last, hood_end::first, [&](const auto &w) { return touches(left.at(from), w); });
  return hood_bridge<std::decay_t<decltype(from)>, std::decay_t<decltype(to)>>{from, to};
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// quadrilateral.hpp: the first steps of marriage before conquest: four extreme points, and the
// points outside their quadrilateral, by edge.
//
//   extremes   the farthest points towards four corners; what is not finite is refused
//   count      how many points lie to the right of each edge, and the farthest of them along the
//              line through a random pair
//   collect    these points, edge by edge, in one array; the rest is inside, or equals a corner
//
// In: the points. Out: four subproblems at most. Invariant: corner k to corner k + 1 is an edge,
// counter-clockwise; all four corners are vertices of the hull, though not always different ones.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/filter.hpp>
#include <colonnade/detail/convex_hull/marriage/farthest_search.hpp>
#include <colonnade/detail/convex_hull/marriage/row_places.hpp>

namespace colonnade::detail {

template <class Points> struct quadrilateral_arguments {
  using coordinate = typename Points::coordinate;
  Points points;
  item_count num_points;
  marriage_storage<coordinate> s;
  bool splits; // the stage of splitting has an iteration
  uint32_t split_from, split_tile;
  device_status *status;
};

/// Of corner k: to the lower left, lower right, upper right, upper left.
template <class T> COLONNADE_KERNEL_CODE direction<T> corner_direction(uint32_t k) {
  const T x = k == 0 || k == 1 ? T{1} : T{-1}, y = k == 1 || k == 2 ? T{1} : T{-1};
  return {{T{0}, T{0}}, {x, y}};
}

template <class T> struct quadrilateral;
template <class T> COLONNADE_RARE_CODE uint32_t edge_in(quadrilateral<T> corners, point_of<T> p);

template <class T> struct quadrilateral {
  point_of<T> corner[4];

  template <class Points>
  COLONNADE_KERNEL_CODE quadrilateral(const Points &points, const marriage_state &state) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      corner[k] = points[state.corners[k]];
  }
  /// The edge that p is outside of; 4: none.
  COLONNADE_KERNEL_CODE uint32_t edge_of(const point_of<T> &p) const {
    uint32_t edge = 4;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      if (edge == 4 && orientation(corner[k], corner[(k + 1) % 4], p) < 0)
        edge = k;
    return edge;
  }
  /// Of several points; exist: a bit for each.
  template <class Machine, uint32_t Items>
  COLONNADE_KERNEL_CODE void edges_of(const Machine &, const point_of<T> (&points)[Items],
                                      uint32_t exist, uint32_t (&edges)[Items]) const {
    uint32_t unsure = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      edges[k] = 4;
      bool is_sure = true;
      COLONNADE_UNROLL
      for (uint32_t e = 0; e < 4; ++e) {
        const auto side = rough_cross(rough_difference(corner[(e + 1) % 4], corner[e]),
                                      rough_difference(points[k], corner[e]));
        edges[k] = side.is_surely_negative() ? e : edges[k];
        is_sure = is_sure && (side.is_surely_negative() || side.is_surely_positive());
      }
      edges[k] = exist >> k & 1 ? edges[k] : 4;
      unsure |= static_cast<uint32_t>(!is_sure) << k;
    }
    unsure &= exist;
    for (; unsure != 0; unsure &= unsure - 1) { // few: one after the other
      const uint32_t which = Machine::first_one(unsure);
      point_of<T> p = points[0];
      COLONNADE_UNROLL
      for (uint32_t k = 1; k < Items; ++k)
        p = k == which ? points[k] : p;
      const uint32_t edge = edge_in(*this, p);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k)
        edges[k] = k == which ? edge : edges[k];
    }
  }
};

template <class T> COLONNADE_RARE_CODE uint32_t edge_in(quadrilateral<T> corners, point_of<T> p) {
  return corners.edge_of(p);
}

/// Sets everything before the first kernel.
template <class T> struct begin_marriage_arguments {
  marriage_storage<T> s;
  uint64_t words;
  item_count num_points;
  device_status *status;
};
template <class T, class Machine>
COLONNADE_KERNEL_CODE void begin_marriage(const Machine &machine,
                                          const begin_marriage_arguments<T> &a) {
  report_count(machine, a.num_points, a.status);
  const uint64_t first = uint64_t{machine.block()} * machine.num_threads() + machine.thread(),
                 step = uint64_t{machine.num_blocks()} * machine.num_threads();
  for (uint64_t i = first; i < a.words; i += step)
    a.s.marks[i] = a.s.bitmap[i] = 0;
  if (first == 0) {
    *a.s.state = {};
    a.s.state->refused = a.s.state->counts.longest_independent = ~uint64_t{0};
    for (uint32_t k = 0; k < 4; ++k)
      a.s.state->corners[k] = a.s.state->best[k] = no_place;
  }
}

template <class Points, uint32_t Threads, uint32_t Resident, uint32_t Items, class Machine>
class extremes_block {
public:
  using arguments = quadrilateral_arguments<Points>;
  using T = typename Points::coordinate;
  static constexpr uint32_t resident = Resident / Threads;
  static constexpr uint32_t threads = Threads;
  struct storage {
    farthest<T> of_warp[4][Threads / 32];
    farthest_storage<T, 4> searches[Threads / 32];
  };

  COLONNADE_KERNEL_CODE extremes_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)),
        searches_(machine, s_.searches[machine.warp()]) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t n = a_.num_points.now();
    if (n == 0)
      return;
    base_ = a_.points[0];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      searches_.begin(k, corner_direction<T>(k), base_);
    for (uint64_t i = uint64_t{machine_.block()} * Threads * Items; i < n;
         i += uint64_t{machine_.num_blocks()} * Threads * Items)
      scan(i + machine_.thread(), n);
    if (bad_ != ~uint64_t{0})
      machine_.min_global(&a_.s.state->refused, refusal(data_error::value_out_of_range, bad_));
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      const farthest<T> best = searches_.of_warp(k);
      if (machine_.lane() == 0)
        s_.of_warp[k][machine_.warp()] = best;
    }
    machine_.block_sync();
    if (machine_.thread() < 4)
      publish(machine_.thread());
  }

private:
  using number = rough_number<T>;
  using batch = point_of<T>[Items];

  /// How far a point lies towards a corner. What is not finite has an infinite bound, or none.
  COLONNADE_KERNEL_CODE rough_value<number> how_far(uint32_t corner, const point_of<T> &p) const {
    const auto d = rough_difference(p, base_);
    const number along = corner % 2 ? d.x - d.y : d.x + d.y;
    return {corner == 1 || corner == 2 ? along : -along,
            (std::fabs(d.x) + std::fabs(d.y)) * rough_error<number> + rough_underflow<number>};
  }
  COLONNADE_KERNEL_CODE void scan(uint64_t first, uint64_t n) {
    batch points;
    uint32_t candidates = 0, exist = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      exist |= static_cast<uint32_t>(first + k * Threads < n) << k;
      points[k] = exist >> k & 1 ? a_.points[first + k * Threads] : base_;
    }
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < 4; ++c) {
      number least = least_number<number>;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k)
        if (const number other = how_far(c, points[k]).least(); other > least)
          least = other;
      const number bound = searches_.raise(c, least);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k)
        candidates |= static_cast<uint32_t>(!(how_far(c, points[k]).most() < bound)) << k;
    }
    for (candidates &= exist; candidates != 0; candidates &= candidates - 1) {
      const uint32_t k = Machine::first_one(candidates);
      point_of<T> p = points[0];
      COLONNADE_UNROLL
      for (uint32_t other = 1; other < Items; ++other)
        p = other == k ? points[other] : p;
      compare(p, first + k * Threads);
    }
  }
  COLONNADE_KERNEL_CODE void compare(const point_of<T> &p, uint64_t i) {
    if (!is_finite(p)) {
      bad_ = i < bad_ ? i : bad_;
      return;
    }
    for (uint32_t c = 0; c < 4; ++c)
      searches_.compare(c, p, static_cast<uint32_t>(i), how_far(c, p).most());
  }
  COLONNADE_KERNEL_CODE void publish(uint32_t k) const {
    const direction<T> along = corner_direction<T>(k);
    farthest<T> best = farthest_of(along, s_.of_warp[k]);
    if (best.at == no_place)
      best = {base_, 0};
    publish_farthest(machine_, along, best, a_.s.state->corners + k,
                     [&](uint32_t i) { return a_.points[i]; });
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  point_of<T> base_;
  farthest_searches<T, 4, Machine> searches_;
  uint64_t bad_ = ~uint64_t{0};
};

/// Whether there is anything to do after the extremes.
template <class T> COLONNADE_KERNEL_CODE bool has_corners(const marriage_storage<T> &s) {
  return s.state->refused == ~uint64_t{0} && s.state->corners[0] != no_place;
}

template <class Points, uint32_t Threads, uint32_t Resident, uint32_t Items, class Machine>
class count_outside_block {
public:
  using arguments = quadrilateral_arguments<Points>;
  using T = typename Points::coordinate;
  static constexpr uint32_t resident = Resident / Threads;
  static constexpr uint32_t threads = Threads;
  struct storage {
    uint32_t counts[4];
    farthest<T> of_warp[4][Threads / 32];
    farthest_storage<T, 4> searches[Threads / 32];
  };

  COLONNADE_KERNEL_CODE count_outside_block(const Machine &machine, const arguments &a,
                                            char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)),
        searches_(machine, s_.searches[machine.warp()]) {}

  COLONNADE_KERNEL_CODE void run() {
    if (!has_corners(a_.s))
      return;
    if (machine_.thread() < 4)
      s_.counts[machine_.thread()] = 0;
    machine_.block_sync();
    const quadrilateral<T> corners(a_.points, *a_.s.state);
    const uint64_t n = a_.num_points.now();
    begin_searches(corners, n);
    scan(corners, n);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      const farthest<T> best = searches_.of_warp(k);
      if (machine_.lane() == 0)
        s_.of_warp[k][machine_.warp()] = best;
    }
    machine_.block_sync();
    if (machine_.thread() < 4)
      publish(machine_.thread());
  }

private:
  /// The same in all warps: of 32 random points those outside an edge.
  COLONNADE_KERNEL_CODE void begin_searches(const quadrilateral<T> &corners, uint64_t n) {
    const uint64_t at = scrambled(machine_.lane(), static_cast<uint32_t>(n)) % n;
    const point_of<T> own = a_.points[at];
    const uint32_t edge = corners.edge_of(own);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      const point_of<T> &l = corners.corner[k], &r = corners.corner[(k + 1) % 4];
      const direction<T> along = direction_of_pair(machine_, own, machine_.ballot(edge == k), l, r);
      searches_.begin(k, along, farther_end(along, l, r));
    }
  }
  COLONNADE_KERNEL_CODE void scan(const quadrilateral<T> &corners, uint64_t n) {
    uint32_t counts[4] = {0, 0, 0, 0};
    for (uint64_t base = uint64_t{machine_.block()} * Threads * Items; base < n;
         base += uint64_t{machine_.num_blocks()} * Threads * Items) {
      const uint64_t first = base + machine_.thread();
      point_of<T> points[Items];
      uint32_t edges[Items], exist = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k) {
        exist |= static_cast<uint32_t>(first + k * Threads < n) << k;
        points[k] = exist >> k & 1 ? a_.points[first + k * Threads] : corners.corner[0];
      }
      corners.edges_of(machine_, points, exist, edges);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k)
        COLONNADE_UNROLL
      for (uint32_t e = 0; e < 4; ++e)
        counts[e] += edges[k] == e;
      searches_.add(
          points, corners.corner[0], [&](uint32_t k) { return edges[k]; },
          [&](uint32_t k) { return static_cast<uint32_t>(first + k * Threads); });
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      const uint32_t upto = warp_inclusive_sum(machine_, counts[k]);
      if (machine_.lane() == 31 && upto != 0)
        machine_.add_shared(&s_.counts[k], upto);
    }
  }
  COLONNADE_KERNEL_CODE void publish(uint32_t edge) const {
    if (s_.counts[edge] == 0)
      return;
    machine_.add_global(&a_.s.state->outside[edge], uint64_t{s_.counts[edge]});
    const direction<T> along = s_.searches[0].along[edge]; // the same in all warps
    publish_farthest(machine_, along, farthest_of(along, s_.of_warp[edge]), &a_.s.state->best[edge],
                     [&](uint32_t i) { return a_.points[i]; });
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  farthest_searches<T, 4, Machine> searches_;
};

template <class Points, uint32_t Threads, uint32_t Resident, uint32_t Items, class Machine>
class collect_outside_block {
public:
  using arguments = quadrilateral_arguments<Points>;
  using T = typename Points::coordinate;
  static constexpr uint32_t resident = Resident / Threads;
  static constexpr uint32_t threads = Threads, tile_points = Threads * Items;
  struct storage {
    row_places_storage<4, Threads> places;
  };

  COLONNADE_KERNEL_CODE collect_outside_block(const Machine &machine, const arguments &a,
                                              char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    if (!has_corners(a_.s))
      return;
    const quadrilateral<T> corners(a_.points, *a_.s.state);
    uint32_t begins[5] = {0};
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      begins[k + 1] = begins[k] + static_cast<uint32_t>(a_.s.state->outside[k]);
    if (machine_.block() == 0 && machine_.thread() < 4)
      begin_problem(machine_.thread(), begins);
    if (begins[4] == 0)
      return;
    const uint64_t n = a_.num_points.now();
    for (uint64_t tile = uint64_t{machine_.block()} * tile_points; tile < n;
         tile += uint64_t{machine_.num_blocks()} * tile_points)
      collect(corners, begins, tile, n);
  }

private:
  COLONNADE_KERNEL_CODE void begin_problem(uint32_t k, const uint32_t (&begins)[5]) const {
    uint32_t begin = 0, end = 0;
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < 4; ++c)
      if (c == k)
        begin = begins[c], end = begins[c + 1];
    if (begin == end)
      return;
    const uint32_t best = a_.s.state->best[k];
    const point_of<T> l = a_.points[a_.s.state->corners[k]],
                      r = a_.points[a_.s.state->corners[(k + 1) % 4]];
    const bool married = best != no_place;
    add_problem(machine_, a_.s,
                {begin, end, l, r, married ? a_.points[best] : l, married, !married, false,
                 static_cast<uint8_t>(k)},
                0, a_.splits, a_.split_from, a_.split_tile);
  }
  COLONNADE_KERNEL_CODE void collect(const quadrilateral<T> &corners, const uint32_t (&begins)[5],
                                     uint64_t tile, uint64_t n) {
    point_of<T> points[Items];
    uint32_t edges[Items], places[Items], first[4], exist = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      const uint64_t i = tile + k * Threads + machine_.thread();
      exist |= static_cast<uint32_t>(i < n) << k;
      points[k] = i < n ? a_.points[i] : corners.corner[0];
    }
    corners.edges_of(machine_, points, exist, edges);
    row_places(
        machine_, s_.places, [&](uint32_t k, uint32_t edge) { return edges[k] == edge; }, places,
        [&](const uint32_t(&counts)[4], uint32_t(&to)[4]) {
          for (uint32_t c = 0; c < 4; ++c)
            to[c] = begins[c] + (counts[c] ? static_cast<uint32_t>(machine_.take_global(
                                                 &a_.s.state->placed[c], counts[c]))
                                           : 0);
        },
        first);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      COLONNADE_UNROLL
    for (uint32_t c = 0; c < 4; ++c)
      if (edges[k] == c)
        a_.s.points[0][first[c] + places[k]] = points[k];
    machine_.block_sync(); // the storage is free
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail

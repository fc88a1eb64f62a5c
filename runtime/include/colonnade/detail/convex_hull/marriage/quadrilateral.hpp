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
#include <colonnade/detail/convex_hull/marriage/farthest.hpp>

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
};

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

template <class Points, uint32_t Threads, class Machine> class extremes_block {
public:
  using arguments = quadrilateral_arguments<Points>;
  using T = typename Points::coordinate;
  static constexpr uint32_t threads = Threads;
  struct storage {
    farthest<T> of_warp[4][Threads / 32];
  };

  COLONNADE_KERNEL_CODE extremes_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    farthest<T> mine[4];
    scan(mine);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      mine[k] = farthest_of_warp(k, mine[k]);
      if (machine_.lane() == 0)
        s_.of_warp[k][machine_.warp()] = mine[k];
    }
    machine_.block_sync();
    if (machine_.thread() < 4)
      publish(machine_.thread());
  }

private:
  COLONNADE_KERNEL_CODE void scan(farthest<T> (&mine)[4]) const {
    COLONNADE_UNROLL
    for (farthest<T> &m : mine)
      m = {{T{0}, T{0}}, no_place};
    const uint64_t n = a_.num_points.now();
    uint64_t bad = ~uint64_t{0};
    for (uint64_t i = uint64_t{machine_.block()} * Threads + machine_.thread(); i < n;
         i += uint64_t{machine_.num_blocks()} * Threads) {
      const point_of<T> p = a_.points[i];
      if (!is_finite(p)) {
        bad = i < bad ? i : bad;
        continue;
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4; ++k)
        if (mine[k].at == no_place || corner_direction<T>(k).prefers(p, mine[k].point))
          mine[k] = {p, static_cast<uint32_t>(i)};
    }
    if (bad != ~uint64_t{0})
      machine_.min_global(&a_.s.state->refused, refusal(data_error::value_out_of_range, bad));
  }
  /// Some lanes may have none.
  COLONNADE_KERNEL_CODE farthest<T> farthest_of_warp(uint32_t k, farthest<T> mine) const {
    const uint32_t some = Machine::first_one(machine_.ballot(mine.at != no_place)) % 32;
    const farthest<T> other{shuffle_point(machine_, mine.point, some),
                            machine_.shuffle(mine.at, some)};
    if (mine.at == no_place)
      mine = other;
    return warp_farthest(machine_, corner_direction<T>(k), mine);
  }
  COLONNADE_KERNEL_CODE void publish(uint32_t k) const {
    const direction<T> along = corner_direction<T>(k);
    publish_farthest(machine_, along, farthest_of(along, s_.of_warp[k]), a_.s.state->corners + k,
                     [&](uint32_t i) { return a_.points[i]; });
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

/// Whether there is anything to do after the extremes.
template <class T> COLONNADE_KERNEL_CODE bool has_corners(const marriage_storage<T> &s) {
  return s.state->refused == ~uint64_t{0} && s.state->corners[0] != no_place;
}

template <class Points, uint32_t Threads, class Machine> class count_outside_block {
public:
  using arguments = quadrilateral_arguments<Points>;
  using T = typename Points::coordinate;
  static constexpr uint32_t threads = Threads;
  struct storage {
    uint32_t counts[4];
    farthest<T> of_warp[4][Threads / 32];
  };

  COLONNADE_KERNEL_CODE count_outside_block(const Machine &machine, const arguments &a,
                                            char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    if (!has_corners(a_.s))
      return;
    if (machine_.thread() < 4)
      s_.counts[machine_.thread()] = 0;
    machine_.block_sync();
    const quadrilateral<T> corners(a_.points, *a_.s.state);
    const uint64_t n = a_.num_points.now();
    choose_directions(corners, n);
    farthest<T> best[4];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      best[k] = farther_end(along_[k], corners.corner[k], corners.corner[(k + 1) % 4]);
    scan(corners, n, best);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      best[k] = warp_farthest(machine_, along_[k], best[k]);
      if (machine_.lane() == 0)
        s_.of_warp[k][machine_.warp()] = best[k];
    }
    machine_.block_sync();
    if (machine_.thread() < 4)
      publish(machine_.thread());
  }

private:
  /// The same in all warps: of 32 random points those outside an edge.
  COLONNADE_KERNEL_CODE void choose_directions(const quadrilateral<T> &corners, uint64_t n) {
    const uint64_t at = scrambled(machine_.lane(), static_cast<uint32_t>(n)) % n;
    const point_of<T> own = a_.points[at];
    const uint32_t edge = corners.edge_of(own);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      along_[k] = direction_of_pair(machine_, own, machine_.ballot(edge == k), corners.corner[k],
                                    corners.corner[(k + 1) % 4]);
  }
  COLONNADE_KERNEL_CODE void scan(const quadrilateral<T> &corners, uint64_t n,
                                  farthest<T> (&best)[4]) {
    uint32_t counts[4] = {0, 0, 0, 0};
    for (uint64_t i = uint64_t{machine_.block()} * Threads + machine_.thread(); i < n;
         i += uint64_t{machine_.num_blocks()} * Threads) {
      const point_of<T> p = a_.points[i];
      const uint32_t edge = corners.edge_of(p);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4; ++k)
        if (edge == k) {
          ++counts[k];
          best[k].offer(along_[k], p, static_cast<uint32_t>(i));
        }
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
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      if (k == edge)
        publish_farthest(machine_, along_[k], farthest_of(along_[k], s_.of_warp[k]),
                         &a_.s.state->best[k], [&](uint32_t i) { return a_.points[i]; });
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  direction<T> along_[4];
};

/// Where the rows of a block's items go, by class: counts, and then the first place of each warp.
template <uint32_t Classes, uint32_t Threads> struct row_places_storage {
  uint32_t counts[Threads / 32][Classes];
  uint32_t first[Classes];
};

/// The first places of this warp's items of each class. Called by all threads of a block; take(c,
/// count): by one thread a class: the place of the first of `count` items. Contains two block_sync;
/// the storage is free after another.
template <uint32_t Classes, uint32_t Items, uint32_t Threads, class Machine, class Take>
COLONNADE_KERNEL_CODE void
row_places(const Machine &machine, row_places_storage<Classes, Threads> &s,
           const uint32_t (&classes)[Items], const Take &take, uint32_t (&first)[Classes]) {
  COLONNADE_UNROLL
  for (uint32_t c = 0; c < Classes; ++c) {
    uint32_t count = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      count += Machine::count_ones(machine.ballot(classes[k] == c));
    if (machine.lane() == 0)
      s.counts[machine.warp()][c] = count;
  }
  machine.block_sync();
  if (machine.thread() == 0) {
    uint32_t sums[Classes];
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < Classes; ++c) {
      sums[c] = 0;
      for (uint32_t w = 0; w < Threads / 32; ++w)
        sums[c] += s.counts[w][c];
    }
    take(sums, s.first);
  }
  machine.block_sync();
  COLONNADE_UNROLL
  for (uint32_t c = 0; c < Classes; ++c) {
    first[c] = s.first[c];
    for (uint32_t w = 0; w < machine.warp(); ++w)
      first[c] += s.counts[w][c];
  }
}

template <class Points, uint32_t Threads, uint32_t Items, class Machine>
class collect_outside_block {
public:
  using arguments = quadrilateral_arguments<Points>;
  using T = typename Points::coordinate;
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
                {begin, end, l, r, married ? a_.points[best] : l, married, !married, false}, 0,
                a_.splits, a_.split_from, a_.split_tile);
  }
  COLONNADE_KERNEL_CODE void collect(const quadrilateral<T> &corners, const uint32_t (&begins)[5],
                                     uint64_t tile, uint64_t n) {
    point_of<T> points[Items];
    uint32_t edges[Items], first[4];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      const uint64_t i = tile + k * Threads + machine_.thread();
      if (i < n)
        points[k] = a_.points[i];
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      edges[k] = tile + k * Threads + machine_.thread() < n ? corners.edge_of(points[k]) : 4;
    row_places(
        machine_, s_.places, edges,
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
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t same = machine_.ballot(edges[k] == c);
      if (edges[k] == c)
        a_.s.points[0]
                   [first[c] + Machine::count_ones(same & ((uint32_t{1} << machine_.lane()) - 1))] =
            points[k];
      first[c] += Machine::count_ones(same);
    }
    machine_.block_sync(); // the storage is free
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail

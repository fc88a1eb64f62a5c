//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// splitting.hpp: the stage of splitting: all blocks divide all large subproblems at once, an
// iteration a launch.
//
// A subproblem has tiles in proportion to its size, and each block as many tiles as the others
// (lemma 3.2, processors being virtual). Of a subproblem whose vertex m is known, blocks
//   take those points that are outside of the edges from l to m and from m to r,
//   drop one of a pair where it is in the triangle of the other and the part's ends,
//   find the farthest of each part along the line through a random pair of it: the part's m,
//   write the left part from the front and the right part from the back of the range.
// Whoever is last makes the two subproblems; small ones are left to warps.
//
// In: the subproblems of an iteration, points in one array. Out: those of the next, points in the
// other. Invariant: every part has at least one point less than the whole, or the next direction is
// that of its line from l to r, which gives a vertex between them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/last_place.hpp>
#include <colonnade/detail/convex_hull/marriage/divider.hpp>
#include <colonnade/detail/convex_hull/marriage/row_places.hpp>

namespace colonnade::detail {

template <class T> struct splitting_arguments {
  marriage_storage<T> s;
  uint32_t iteration;
  bool splits; // there is a next one
  uint32_t split_from;
};

template <class T, uint32_t Threads, uint32_t Resident, uint32_t Items, bool Prune, class Machine>
class splitting_block {
public:
  using arguments = splitting_arguments<T>;
  static constexpr uint32_t resident = Resident / Threads;
  static constexpr uint32_t threads = Threads, tile_points = Threads * Items;
  static_assert(Threads >= 64, "a warp for each part");
  using divider = point_divider<T, Items, Machine>;
  struct storage {
    row_places_storage<2, Threads> places;
    farthest<T> of_warp[2][Threads / 32];
    divider_storage<T> dividers[Threads / 32];
  };

  COLONNADE_KERNEL_CODE splitting_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)),
        from_(a.s.points[a.iteration % 2]), to_(a.s.points[1 - a.iteration % 2]) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t list = a_.s.state->lists[a_.iteration];
    const uint32_t tiles = static_cast<uint32_t>(list),
                   problems = static_cast<uint32_t>(list >> 32);
    if (tiles == 0)
      return;
    split_problem<T> *split = a_.s.split[a_.iteration % 2];
    if (machine_.block() == 0 && machine_.thread() == 0)
      a_.s.state->counts.splitting_iterations = a_.iteration + 1;
    const uint32_t share = (tiles - 1) / machine_.num_blocks() + 1;
    const uint64_t begin = uint64_t{share} * machine_.block();
    if (begin >= tiles)
      return;
    const uint32_t end = begin + share < tiles ? static_cast<uint32_t>(begin) + share : tiles;
    uint32_t tile = static_cast<uint32_t>(begin);
    uint32_t k = last_place(0u, problems, [&](uint32_t i) { return split[i].first_tile <= tile; });
    for (; tile < end; ++k) {
      const uint32_t behind = k + 1 < problems ? split[k + 1].first_tile : tiles;
      const uint32_t stop = behind < end ? behind : end;
      run_problem(split[k], tile - split[k].first_tile, stop - split[k].first_tile,
                  behind - split[k].first_tile);
      tile = stop;
    }
  }

private:
  /// Some tiles of a problem.
  COLONNADE_KERNEL_CODE void run_problem(split_problem<T> &split, uint32_t tile, uint32_t stop,
                                         uint32_t tiles) {
    const hull_problem<T> problem = split.problem;
    direction<T> along[2];
    choose_directions(problem, along);
    divider division(machine_, s_.dividers[machine_.warp()], problem, along);
    const uint32_t done = stop - tile;
    for (; tile < stop; ++tile)
      divide(problem, split, tile, division);
    COLONNADE_UNROLL
    for (uint32_t part = 0; part < 2; ++part) {
      const farthest<T> best = division.farthest_of_part(part);
      if (machine_.lane() == 0)
        s_.of_warp[part][machine_.warp()] = best;
    }
    machine_.block_sync();
    COLONNADE_UNROLL
    for (uint32_t part = 0; part < 2; ++part) // by two warps at once
      if (machine_.thread() == 32 * part)
        publish(split, part, along[part]);
    machine_.block_sync(); // what is published is; the storage is free
    if (machine_.thread() == 0 && machine_.take_global(&split.tiles_done, done) + done == tiles)
      finish(split);
  }

  /// All warps of all blocks of a problem choose the same.
  COLONNADE_KERNEL_CODE void choose_directions(const hull_problem<T> &problem,
                                               direction<T> (&along)[2]) const {
    const uint32_t size = problem.size();
    const uint32_t at = scrambled(problem.begin + machine_.lane(), a_.iteration) % size;
    const point_of<T> own = from_[problem.begin + at];
    const uint32_t part = part_of(problem, own);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t lanes = machine_.ballot(part == k && !problem.by_chord);
      along[k] = direction_of_pair(machine_, own, lanes, k ? problem.m : problem.l,
                                   k ? problem.r : problem.m);
    }
  }

  COLONNADE_KERNEL_CODE void divide(const hull_problem<T> &problem, split_problem<T> &split,
                                    uint32_t tile, divider &division) {
    point_of<T> points[Items];
    const uint32_t before = tile * tile_points, left = problem.size() - before,
                   at = problem.begin + before + machine_.thread();
    uint32_t exist = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      points[k] = problem.l;
      if (machine_.thread() + k * Threads < left) {
        points[k] = from_[at + k * Threads];
        exist |= 1u << k;
      }
    }
    point_parts parts =
        division.divide(points, exist, [&](uint32_t k) { return at + k * Threads; });
    if constexpr (Prune)
      prune(problem, points, parts);
    uint32_t places[Items], first[2];
    row_places(
        machine_, s_.places, [&](uint32_t k, uint32_t part) { return parts.has(k, part); }, places,
        [&](const uint32_t(&counts)[2], uint32_t(&to)[2]) {
          const uint64_t both = counts[0] | uint64_t{counts[1]} << 32;
          const uint64_t taken = both ? machine_.take_global(&split.taken, both) : 0;
          to[0] = problem.begin + static_cast<uint32_t>(taken);
          to[1] = static_cast<uint32_t>(taken >> 32); // from the back
        },
        first);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (parts.taken >> k & 1)
        to_[parts.after >> k & 1 ? problem.end - 1 - first[1] - places[k] : first[0] + places[k]] =
            points[k];
    machine_.block_sync(); // the storage is free
  }
  /// A thread's points of one part, each with the last one that was kept.
  COLONNADE_KERNEL_CODE void prune(const hull_problem<T> &problem,
                                   const point_of<T> (&points)[Items], point_parts &parts) const {
    COLONNADE_UNROLL
    for (uint32_t part = 0; part < 2; ++part) {
      const point_of<T> l = part ? problem.m : problem.l, r = part ? problem.r : problem.m;
      point_of<T> kept{};
      uint32_t dropped = 0, kept_bit = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k) {
        if (!parts.has(k, part))
          continue;
        const uint32_t which = kept_bit ? pruned_of_pair(l, r, kept, points[k]) : 0;
        dropped |= which == 1 ? kept_bit : which == 2 ? 1u << k : 0u;
        if (which != 2)
          kept = points[k], kept_bit = 1u << k;
      }
      parts.taken &= ~dropped;
    }
  }

  /// By one thread for each part; others see it once they see that the block's tiles are done.
  COLONNADE_KERNEL_CODE void publish(split_problem<T> &split, uint32_t part,
                                     const direction<T> &along) const {
    publish_farthest(machine_, along, farthest_of(along, s_.of_warp[part]), &split.best[part],
                     [&](uint32_t place) { return from_[place]; });
    machine_.device_fence();
  }
  /// By the thread that is the last of all blocks.
  COLONNADE_KERNEL_CODE void finish(split_problem<T> &split) const {
    machine_.device_fence();
    const hull_problem<T> whole = split.problem;
    const uint64_t taken = machine_.load_counter(&split.taken);
    const uint32_t left = static_cast<uint32_t>(taken), right = static_cast<uint32_t>(taken >> 32);
    hull_problem<T> parts[2] = {whole, whole};
    parts[0].end = whole.begin + left;
    parts[0].r = whole.m;
    parts[1].begin = whole.end - right;
    parts[1].l = whole.m;
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t place = machine_.load_word(&split.best[k]);
      parts[k].married = place != no_place;
      parts[k].by_chord = !parts[k].married;
      parts[k].m = parts[k].married ? from_[place] : parts[k].l;
      parts[k].in_second = a_.iteration % 2 == 0;
    }
    if (whole.married) // after the last read: a farthest point may have stood there
      put_vertex(machine_, a_.s, parts[0].end, whole.m);
    for (const hull_problem<T> &part : parts)
      if (part.size() != 0)
        add_problem(machine_, a_.s, part, a_.iteration + 1, a_.splits, a_.split_from, tile_points);
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  const point_of<T> *from_;
  point_of<T> *to_;
};

} // namespace colonnade::detail

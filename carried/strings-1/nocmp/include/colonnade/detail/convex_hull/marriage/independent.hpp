//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// independent.hpp: the independent stage: a warp takes a small subproblem and works on it and on
// what comes of it, until nothing is left.
//
// The warp has its own stack. Of the two parts of a subproblem it goes on with the smaller one, so
// that the stack is never deeper than the binary logarithm of the points. Points go from one array
// to the other, the left part to the front and the right part to the back of the range. The
// vertices of at most 32 points are found at once.
//
// In: small subproblems. Out: their vertices, marked. Invariant: that of splitting.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/marriage/divider.hpp>
#include <colonnade/detail/convex_hull/marriage/few_in_warp.hpp>

namespace colonnade::detail {

template <class T> struct independent_arguments {
  marriage_storage<T> s;
};

/// Rows: of 32 points that a warp divides at once.
template <class T, uint32_t Threads, uint32_t Resident, uint32_t Rows, bool Prune, bool Count,
          class Machine>
class independent_block {
public:
  using arguments = independent_arguments<T>;
  using divider = point_divider<T, Rows, Machine>;
  static constexpr uint32_t resident = Resident / Threads;
  static constexpr uint32_t threads = Threads, most_depth = 33;
  struct storage {
    hull_problem<T> stack[Threads / 32][most_depth];
    divider_storage<T> dividers[Threads / 32];
  };

  COLONNADE_KERNEL_CODE independent_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a),
        stack_(reinterpret_cast<storage *>(shared)->stack[machine.warp()]),
        divider_(reinterpret_cast<storage *>(shared)->dividers[machine.warp()]) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t problems = a_.s.state->num_done;
    if constexpr (Count)
      if (machine_.block() == 0 && machine_.thread() == 0)
        a_.s.state->counts.independent_problems = problems;
    for (;;) {
      uint64_t mine = 0;
      if (machine_.lane() == 0)
        mine = machine_.take_global(&a_.s.state->next_done, 1);
      mine = machine_.shuffle(mine, 0);
      if (mine >= problems)
        return;
      solve(a_.s.done[mine]);
    }
  }

private:
  COLONNADE_KERNEL_CODE void solve(hull_problem<T> now) {
    uint32_t depth = 0;
    uint64_t iterations = 0;
    for (;;) {
      hull_problem<T> parts[2];
      ++iterations;
      if (now.size() <= 32) {
        finish_few(now);
        parts[0] = parts[1] = now;
        parts[0].end = parts[1].end = now.begin;
      } else {
        divide(now, parts);
      }
      const bool left_first = parts[0].size() <= parts[1].size();
      now = left_first ? parts[0] : parts[1];
      const hull_problem<T> later = left_first ? parts[1] : parts[0];
      if (now.size() == 0) {
        now = later;
      } else {
        if (machine_.lane() == 0)
          stack_[depth] = later;
        ++depth;
        machine_.warp_sync();
      }
      if (now.size() == 0) {
        if (depth == 0)
          break;
        now = stack_[--depth];
        machine_.warp_sync(); // all have read
      }
    }
    if constexpr (Count)
      if (machine_.lane() == 0) {
        machine_.add_global(&a_.s.state->counts.independent_iterations, iterations);
        machine_.min_global(&a_.s.state->counts.longest_independent, ~iterations);
      }
  }

  COLONNADE_KERNEL_CODE void finish_few(const hull_problem<T> &whole) const {
    const bool exists = machine_.lane() < whole.size();
    const point_of<T> own =
        a_.s.points[whole.in_second][whole.begin + (exists ? machine_.lane() : 0)];
    const uint32_t vertex = vertex_of_few(machine_, whole.l, whole.r, own, whole.size());
    machine_.warp_sync(); // all points are read
    if (vertex != no_vertex)
      put_vertex(machine_, a_.s, whole.begin + vertex, own);
  }
  COLONNADE_KERNEL_CODE void divide(const hull_problem<T> &whole, hull_problem<T> (&parts)[2]) {
    const point_of<T> *from = a_.s.points[whole.in_second];
    point_of<T> *to = a_.s.points[!whole.in_second];
    direction<T> along[2];
    choose_directions(whole, from, along);
    divider division(machine_, divider_, whole, along);
    uint32_t counts[2] = {0, 0};
    for (uint32_t at = whole.begin; at < whole.end; at += 32 * Rows)
      move(whole, from, at, to, division, counts);
    parts[0] = parts[1] = whole;
    parts[0].end = whole.begin + counts[0];
    parts[0].r = parts[1].l = whole.m;
    parts[1].begin = whole.end - counts[1];
    machine_.warp_sync(); // all points are moved
    if (whole.married && machine_.lane() == 0)
      put_vertex(machine_, a_.s, parts[0].end, whole.m);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k)
      if (counts[k] != 0)
        finish_part(parts[k], division.farthest_of_part(k), !whole.in_second);
  }
  COLONNADE_KERNEL_CODE void finish_part(hull_problem<T> &part, const farthest<T> &best,
                                         bool in_second) const {
    part.married = best.at != no_place;
    part.by_chord = !part.married;
    part.m = part.married ? best.point : part.l;
    part.in_second = in_second;
  }

  COLONNADE_KERNEL_CODE void choose_directions(const hull_problem<T> &whole,
                                               const point_of<T> *from,
                                               direction<T> (&along)[2]) const {
    const uint32_t at = scrambled(whole.begin + machine_.lane(), whole.end) % whole.size();
    const point_of<T> own = from[whole.begin + at];
    const uint32_t part = part_of(whole, own);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t lanes = machine_.ballot(part == k && !whole.by_chord);
      along[k] =
          direction_of_pair(machine_, own, lanes, k ? whole.m : whole.l, k ? whole.r : whole.m);
    }
  }

  /// Some rows, from place `at` on; the left part from the front, the right part from the back.
  COLONNADE_KERNEL_CODE void move(const hull_problem<T> &whole, const point_of<T> *from,
                                  uint32_t at, point_of<T> *to, divider &division,
                                  uint32_t (&counts)[2]) const {
    const uint32_t below = (uint32_t{1} << machine_.lane()) - 1, left = whole.end - at;
    point_of<T> points[Rows];
    uint32_t exist = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k) {
      const uint32_t i = 32 * k + machine_.lane();
      exist |= static_cast<uint32_t>(i < left) << k;
      points[k] = i < left ? from[at + i] : whole.l;
    }
    point_parts parts =
        division.divide(points, exist, [&](uint32_t k) { return at + 32 * k + machine_.lane(); });
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Rows; ++k) {
      uint32_t part = parts.taken >> k & 1 ? parts.after >> k & 1 : 2u;
      if constexpr (Prune)
        part = prune(whole, points[k], part);
      const uint32_t lefts = machine_.ballot(part == 0), rights = machine_.ballot(part == 1);
      if (part < 2)
        to[part ? whole.end - 1 - counts[1] - Machine::count_ones(rights & below)
                : whole.begin + counts[0] + Machine::count_ones(lefts & below)] = points[k];
      counts[0] += Machine::count_ones(lefts);
      counts[1] += Machine::count_ones(rights);
    }
  }
  /// Points of one part are paired in the lanes' order, the first with the second and so on; both
  /// lanes decide alike.
  COLONNADE_KERNEL_CODE uint32_t prune(const hull_problem<T> &whole, const point_of<T> &own,
                                       uint32_t part) const {
    const uint32_t lefts = machine_.ballot(part == 0), rights = machine_.ballot(part == 1);
    const uint32_t same = part == 0   ? lefts
                          : part == 1 ? rights
                                      : 0,
                   own_bit = uint32_t{1} << machine_.lane(), below = same & (own_bit - 1),
                   above = same & ~(own_bit - 1) & ~own_bit;
    const bool is_first = Machine::count_ones(below) % 2 == 0;
    const bool is_alone = is_first ? above == 0 : below == 0;
    const uint32_t other_lane = is_alone   ? machine_.lane()
                                : is_first ? Machine::first_one(above)
                                           : last_one(below);
    const point_of<T> other = shuffle_point(machine_, own, other_lane);
    if (part == 2 || is_alone)
      return part;
    const uint32_t pruned = pruned_of_pair(part ? whole.m : whole.l, part ? whole.r : whole.m,
                                           is_first ? own : other, is_first ? other : own);
    return pruned == (is_first ? 1u : 2u) ? 2 : part;
  }
  /// Of a word that is not 0.
  COLONNADE_KERNEL_CODE static uint32_t last_one(uint32_t word) {
    COLONNADE_UNROLL
    for (uint32_t step = 1; step < 32; step *= 2)
      word |= word >> step;
    return Machine::count_ones(word) - 1;
  }

  const Machine &machine_;
  const arguments &a_;
  hull_problem<T> *stack_;
  divider_storage<T> &divider_;
};

} // namespace colonnade::detail

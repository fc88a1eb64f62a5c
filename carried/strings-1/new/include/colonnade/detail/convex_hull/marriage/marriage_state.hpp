//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// marriage_state.hpp: what the kernels of marriage before conquest tell each other.
//
// Points stand in two arrays of as many places as the input has points; a subproblem has a range of
// places, the same in both, and its points are in one of them. Ranges are in the order of the hull,
// counter-clockwise, so a vertex that is found stands between those of the two subproblems that it
// makes: in the first array, with a mark.
//
// In: the most points, how many a subproblem to be split has at least. Out: the types, and how many
// of each there can be. Invariant: points of a subproblem lie strictly to the right of the line
// from l to r, which are vertices of the hull.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/exact/finite.hpp>
#include <colonnade/hull_points.hpp>
#include <colonnade/item_count.hpp>
#include <colonnade/marriage_hull_tuning.hpp>

namespace colonnade::detail {

constexpr uint32_t no_place = ~uint32_t{0};
/// Iterations that a call can have at most.
constexpr uint32_t most_splits = 80;

struct marriage_state {
  marriage_counts counts; // first: callers may read it
  uint64_t refused;       // as in device_status
  uint32_t corners[4];    // indices of the extreme points, or no_place
  uint32_t best[4];       // the farthest point outside of each edge, or no_place
  uint64_t outside[4];    // points to the right of each edge of the quadrilateral
  uint64_t placed[4];     // of these, how many have a place
  /// Of every iteration: subproblems in the upper half, tiles of their points in the lower one.
  uint64_t lists[most_splits + 1];
  uint64_t num_done, next_done; // subproblems of warps; taken by warps
  uint32_t tiles_counted;
  uint64_t num_marks, num_hull;
  uint64_t corner_ranks[4]; // where corners stand among the vertices
  uint64_t first, last;     // the lexicographically smallest and largest vertex
};

/// Points and what is known about them.
template <class T> struct hull_problem {
  uint32_t begin, end; // places of its points
  point_of<T> l, r, m; // m: a vertex within the range of points, or nothing if not `married`
  bool married;
  bool by_chord; // the next direction is that of the line from l to r
  bool in_second;
  uint8_t edge; // of the quadrilateral; of edges 0 and 2 the hull is monotone in x, else in y

  COLONNADE_KERNEL_CODE uint32_t size() const { return end - begin; }
};

/// A subproblem that blocks split.
template <class T> struct split_problem {
  hull_problem<T> problem;
  uint32_t first_tile;
  uint32_t best[2]; // places of the farthest points of the two parts
  uint64_t taken;   // points of the right part in the upper half, of the left one in the lower
  uint64_t tiles_done;
};

template <class T> struct marriage_storage {
  marriage_state *state;
  point_of<T> *points[2];
  uint32_t *marks;            // a bit for every place
  uint32_t *bitmap;           // of vertices, by a hash
  split_problem<T> *split[2]; // of this iteration and the next
  hull_problem<T> *done;
  uint32_t *tile_marks;
};

constexpr uint64_t split_problems(uint64_t most, uint32_t split_from) {
  return most / split_from + 4;
}
/// Splitting makes at most one more of each subproblem.
constexpr uint64_t done_problems(uint64_t most, uint32_t split_from, uint32_t iterations) {
  return 4 + iterations * split_problems(most, split_from);
}
/// Words of a bit for each place, and one place behind.
COLONNADE_HOST_DEVICE constexpr uint64_t mark_words(uint64_t most) { return most / 32 + 1; }

/// The word's value before.
template <class Machine>
COLONNADE_KERNEL_CODE uint32_t exchange_if_equal(const Machine &machine, uint32_t *word,
                                                 uint32_t expected, uint32_t value) {
#if defined(__CUDA_ARCH__)
  return atomicCAS(word, expected, value);
#else
  const uint32_t before = machine.load_word(word);
  if (before == expected)
    *word = value;
  return before;
#endif
}

template <class T, class Machine>
COLONNADE_KERNEL_CODE void put_vertex(const Machine &machine, const marriage_storage<T> &s,
                                      uint32_t place, const point_of<T> &vertex) {
  s.points[0][place] = vertex;
  machine.add_global(s.marks + place / 32, uint32_t{1} << place % 32); // a place is marked once
}

/// By one thread. splits: the iteration exists.
template <class T, class Machine>
COLONNADE_KERNEL_CODE void add_problem(const Machine &machine, const marriage_storage<T> &s,
                                       const hull_problem<T> &problem, uint32_t iteration,
                                       bool splits, uint32_t split_from, uint32_t split_tile) {
  if (!splits || problem.size() < split_from) {
    s.done[machine.take_global(&s.state->num_done, 1)] = problem;
    return;
  }
  const uint32_t tiles = problem.size() / split_tile + (problem.size() % split_tile != 0);
  const uint64_t before =
      machine.take_global(&s.state->lists[iteration], uint64_t{1} << 32 | tiles);
  s.split[iteration % 2][before >> 32] = {
      problem, static_cast<uint32_t>(before), {no_place, no_place}, 0, 0};
}

template <class T> COLONNADE_KERNEL_CODE bool same_place(point_of<T> a, point_of<T> b) {
  return is_equal(a.x, b.x) && is_equal(a.y, b.y);
}
template <class T> COLONNADE_KERNEL_CODE bool lexicographically_less(point_of<T> a, point_of<T> b) {
  return is_less(a.x, b.x) || (is_equal(a.x, b.x) && is_less(a.y, b.y));
}

/// A point that does not depend on anything but its arguments.
COLONNADE_KERNEL_CODE uint32_t scrambled(uint32_t a, uint32_t b) {
  uint32_t h = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u) * 0x85ebca77u;
  h = (h ^ h >> 15) * 0x2c1b3c6du;
  h = (h ^ h >> 12) * 0x297a2d39u;
  return h ^ h >> 15;
}

} // namespace colonnade::detail

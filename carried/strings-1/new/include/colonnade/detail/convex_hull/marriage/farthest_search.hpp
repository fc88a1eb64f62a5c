//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// farthest_search.hpp: a warp's search for the point that lies farthest to the right of a
// direction: how far the points lie, roughly, and exact comparisons of those few that may be the
// farthest.
//
//   for every batch of points: how far each lies, roughly; the most of what these lie at least;
//   comparisons of those that may lie farther
//
// In: points, with a place each. Out: the farthest. Invariant: exact; a point that is not offered
// lies surely less far than one that a lane of the warp has seen.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/marriage/farthest.hpp>
#include <colonnade/detail/convex_hull/rough.hpp>

namespace colonnade::detail {

/// What a lane knows of a search; in shared memory, since it is seldom asked for.
template <class T> struct lane_farthest {
  farthest<T> best;
  rough_number<T> most; // it lies at most so far

  COLONNADE_KERNEL_CODE void begin(const point_of<T> &first) { *this = {{first, no_place}, 0}; }
};
/// What a warp knows of several.
template <class T, uint32_t Classes> struct farthest_storage {
  direction<T> along[Classes];
  lane_farthest<T> lanes[Classes][32];
};

template <class T>
COLONNADE_RARE_CODE void compare_farthest(lane_farthest<T> *mine, const direction<T> *along,
                                          point_of<T> p, uint32_t place, rough_number<T> most) {
  if (along->prefers(p, mine->best.point))
    *mine = {{p, place}, most};
}

/// Searches along several directions. A class: of points, those of one search; Classes: none.
template <class T, uint32_t Classes, class Machine> class farthest_searches {
public:
  using number = rough_number<T>;
  using storage = farthest_storage<T, Classes>;

  COLONNADE_KERNEL_CODE farthest_searches(const Machine &machine, storage &s)
      : machine_(machine), s_(s) {}

  /// By all lanes. first: a point with which the search begins; its own place counts as none.
  COLONNADE_KERNEL_CODE void begin(uint32_t c, const direction<T> &along,
                                   const point_of<T> &first) {
    if (machine_.lane() == 0)
      s_.along[c] = along;
    s_.lanes[c][machine_.lane()].begin(first);
    turns_[c] = rough_difference(along.to, along.from);
    words_[c] = 0;
    machine_.warp_sync();
  }
  /// By all lanes: the farthest lies at least so far as any of them says. Returns how far.
  COLONNADE_KERNEL_CODE number raise(uint32_t c, number least) {
    const uint32_t word = machine_.largest(word_below(least));
    words_[c] = word > words_[c] ? word : words_[c];
    return number_of_word<number>(words_[c]);
  }
  COLONNADE_KERNEL_CODE void compare(uint32_t c, const point_of<T> &p, uint32_t place,
                                     number most) {
    compare_farthest(&s_.lanes[c][machine_.lane()], &s_.along[c], p, place, most);
  }
  /// By all lanes: class_of(k), place(k): of point k. base: the same in all batches.
  template <uint32_t Items, class ClassOf, class Place>
  COLONNADE_KERNEL_CODE void add(const point_of<T> (&points)[Items], const point_of<T> &base,
                                 const ClassOf &class_of, const Place &place) {
    number most[Items], least[Classes];
    COLONNADE_UNROLL
    for (number &bound : least)
      bound = least_number<number>;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      const auto far = how_far(class_of(k), points[k], base);
      most[k] = far.most();
      COLONNADE_UNROLL
      for (uint32_t c = 0; c < Classes; ++c)
        least[c] = class_of(k) == c && far.least() > least[c] ? far.least() : least[c];
    }
    uint32_t candidates = 0;
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < Classes; ++c) {
      const number bound = raise(c, least[c]);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < Items; ++k)
        candidates |= static_cast<uint32_t>(class_of(k) == c && !(most[k] < bound)) << k;
    }
    for (; candidates != 0; candidates &= candidates - 1) { // few: one after the other
      const uint32_t which = Machine::first_one(candidates);
      point_of<T> p = points[0];
      uint32_t c = class_of(0);
      COLONNADE_UNROLL
      for (uint32_t k = 1; k < Items; ++k) {
        p = k == which ? points[k] : p;
        c = k == which ? class_of(k) : c;
      }
      compare(c, p, place(which), how_far(c, p, base).most());
    }
  }
  /// By all lanes, which all get the farthest of class c.
  COLONNADE_KERNEL_CODE farthest<T> of_warp(uint32_t c) const {
    const lane_farthest<T> mine = s_.lanes[c][machine_.lane()];
    const number bound = number_of_word<number>(words_[c]);
    uint32_t lanes = machine_.ballot(mine.best.at != no_place && !(mine.most < bound));
    machine_.warp_sync();                        // all lanes have written
    farthest<T> best{mine.best.point, no_place}; // none, if none lies farther than the first
    for (bool is_first = true; lanes != 0; lanes &= lanes - 1, is_first = false) {
      const farthest<T> other = s_.lanes[c][Machine::first_one(lanes)].best;
      if (is_first || s_.along[c].prefers(other.point, best.point))
        best = other;
    }
    machine_.warp_sync(); // the storage is free
    return best;
  }

private:
  COLONNADE_KERNEL_CODE rough_value<number> how_far(uint32_t of, const point_of<T> &p,
                                                    const point_of<T> &base) const {
    rough_vector<number> turn = turns_[0];
    COLONNADE_UNROLL
    for (uint32_t c = 1; c < Classes; ++c)
      turn = {of == c ? turns_[c].x : turn.x, of == c ? turns_[c].y : turn.y};
    return rough_cross(rough_difference(p, base), turn);
  }

  const Machine &machine_;
  storage &s_;
  rough_vector<number> turns_[Classes];
  uint32_t words_[Classes]; // the farthest lies at least so far
};

} // namespace colonnade::detail

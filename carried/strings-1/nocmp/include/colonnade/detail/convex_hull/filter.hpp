//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// filter.hpp: the pass that reads all points: finds those that are not finite, and collects those
// that may stand on the hull.
//
// In: the points, and a sieve. Out: the word of x and the index of every point that is kept, in any
// order, and how many; the smallest index of a point that is not finite. Invariant: a point that is
// dropped is surely inside; what is dropped depends on a point's coordinates alone, so points in
// one place share their fate.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/narrow_words.hpp>
#include <colonnade/detail/convex_hull/rough.hpp>
#include <colonnade/detail/convex_hull/sieve.hpp>
#include <colonnade/detail/convex_hull/tile_sets.hpp>
#include <colonnade/detail/exact/finite.hpp>
#include <colonnade/hull_points.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

/// What the kernels of a call tell each other.
struct hull_state {
  uint64_t kept; // points that the filter keeps
  uint64_t
      thinned[2];  // of these, what is left on hoods of tiles, and of tiles of those; 0: not done
  uint64_t sorted; // points that the kernels for many work on; 0: few, or refused
  hull_findings findings;
  uint32_t sample_done; // blocks of the sample
  uint64_t unsettled;   // points that are sorted anew (narrow_words.hpp)
};

/// The word of a state.
COLONNADE_KERNEL_CODE uint64_t refusal(data_error error, uint64_t index) {
  return index << 8 | static_cast<uint64_t>(error);
}

/// The refusal of point i, or all ones; before: its predecessor, which it must not be left of, or
/// itself.
template <class T>
COLONNADE_KERNEL_CODE uint64_t refusal_of_point(const point_of<T> &point, const point_of<T> &before,
                                                uint64_t i) {
  if (!is_finite(point))
    return refusal(data_error::value_out_of_range, i);
  if (is_less(point.x, before.x))
    return refusal(data_error::index_out_of_range, i);
  return ~uint64_t{0};
}
/// Of a point of a set that begins at `first`. by_x: it must not be left of its predecessor.
template <class Points>
COLONNADE_KERNEL_CODE uint64_t refusal_of(const Points &points, uint64_t first, uint64_t i,
                                          bool by_x) {
  const auto point = points[i];
  return refusal_of_point(point, by_x && i > first ? points[i - 1] : point, i);
}
/// Whether that refuses point i, which is loaded. Place: of 32 bits, where registers are few.
template <class Points, class Place>
COLONNADE_KERNEL_CODE bool is_refused(const Points &points,
                                      const point_of<typename Points::coordinate> &point,
                                      Place first, Place i, bool by_x) {
  return !is_finite(point) || (by_x && i > first && is_less(point.x, points[i - 1].x));
}

/// Sets the state before all other kernels; one thread. sorted: of points that come by x.
template <class Machine>
COLONNADE_KERNEL_CODE void begin_hull(const Machine &machine, hull_state *s, uint64_t sorted) {
  if (machine.block() == 0 && machine.thread() == 0)
    *s = {0, {0, 0}, sorted, {~uint64_t{0}, {0, 0}}, 0, 0};
}
/// So many words that the sample's blocks tell the last one, likewise; one warp.
template <class Machine>
COLONNADE_KERNEL_CODE void begin_sample(const Machine &machine, uint64_t *told, uint32_t number) {
  for (uint32_t k = machine.lane(); k < number; k += 32)
    told[k] = ~uint64_t{0};
}

template <class Points, class Chains> struct hull_filter_arguments {
  using coordinate = typename Points::coordinate;
  Points points;
  item_count num_points;
  const sieve_frame<coordinate> *frame;
  const sieve_column<sieve_number<coordinate>> *columns;
  const Chains *chains;
  typename sorted_as<coordinate>::raw *words;
  uint32_t *narrow_words; // of doubles, in place of words; or null
  uint32_t *indices;
  hull_state *state;
  device_status *status;
};

/// Chains: of the sieve.
template <class Points, uint32_t Threads, uint32_t Items, uint32_t Columns, class Chains,
          class Machine>
class hull_filter_block {
public:
  using arguments = hull_filter_arguments<Points, Chains>;
  using coordinate = typename Points::coordinate;
  using point = point_of<coordinate>;
  static constexpr uint32_t threads = Threads, tile_points = Threads * Items;
  static constexpr uint32_t waves = 2;
  struct storage {
    sieve_column<sieve_number<coordinate>> columns[Columns];
    uint32_t crowded[(Columns + 31) / 32];
  };

  COLONNADE_KERNEL_CODE hull_filter_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)), frame_(*a.frame) {}

  COLONNADE_KERNEL_CODE void run() {
    report_count(machine_, a_.num_points, a_.status);
    const uint64_t n = a_.num_points.now();
    if (frame_.first_x < frame_.last_x)
      for (uint32_t k = machine_.thread(); k < Columns; k += Threads) {
        s_.columns[k] = a_.columns[k];
        if (k % 32 == 0)
          s_.crowded[k / 32] = a_.chains->crowded[k / 32];
      }
    machine_.block_sync();
    uint64_t bad = ~uint64_t{0};
    for (uint64_t begin = uint64_t{machine_.block()} * tile_points; begin < n;
         begin += uint64_t{machine_.num_blocks()} * tile_points) {
      point points[Items];
      const uint32_t kept =
          begin + tile_points <= n ? load<true>(begin, n, points) : load<false>(begin, n, points);
      bad = first_bad(begin, points, kept, bad);
      append(begin, points, kept);
    }
    if (bad != ~uint64_t{0})
      machine_.min_global(&a_.state->findings.refused,
                          refusal(data_error::value_out_of_range, bad));
  }

private:
  /// Which of a thread's points are not surely inside, nor repeat the corner: one bit each.
  template <bool Full>
  COLONNADE_KERNEL_CODE uint32_t load(uint64_t begin, uint64_t n, point (&points)[Items]) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (Full || place(begin, k) < n)
        points[k] = a_.points[place(begin, k)];
    uint32_t kept = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (Full || place(begin, k) < n)
        kept |= static_cast<uint32_t>(!is_inside(points[k]) && !is_corner(points[k], begin, k))
                << k;
    return kept;
  }
  COLONNADE_KERNEL_CODE bool is_corner(const point &p, uint64_t begin, uint32_t k) const {
    return is_equal(p.x, frame_.corner.x) && is_equal(p.y, frame_.corner.y) &&
           place(begin, k) > frame_.corner_index;
  }
  /// What is not finite is kept: it is neither inside nor a corner that is.
  COLONNADE_KERNEL_CODE uint64_t first_bad(uint64_t begin, const point (&points)[Items],
                                           uint32_t kept, uint64_t bad) const {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if ((kept >> k & 1) && !is_finite(points[k]) && place(begin, k) < bad)
        bad = place(begin, k);
    return bad;
  }
  /// Surely.
  COLONNADE_KERNEL_CODE bool is_inside(const point &p) const {
    using number = sieve_number<coordinate>;
    if (!(p.x > frame_.first_x && p.x < frame_.last_x))
      return false;
    const number offset = frame_.offset(p.x);
    const uint32_t column = frame_.column(offset, Columns);
    return within(s_.columns[column], offset, static_cast<number>(p.y)) ||
           ((s_.crowded[column / 32] >> column % 32 & 1) && is_between(*a_.chains, p));
  }
  /// Whether a point of the frame surely lies above the lower chain and below the upper one.
  static COLONNADE_RARE_KERNEL_CODE bool is_between(const Chains &chains, point p) {
    bool is_sure = true;
    for (uint32_t side = 0; side < 2; ++side) {
      const point *points = chains.points[side];
      const uint32_t edge = last_place(0u, chains.counts[side] - 1,
                                       [&](uint32_t i) { return !is_less(p.x, points[i].x); });
      const point from = points[edge];
      const auto cross =
          rough_cross(rough_difference(points[edge + 1], from), rough_difference(p, from));
      is_sure &= side ? cross.is_surely_negative() : cross.is_surely_positive();
    }
    return is_sure;
  }
  COLONNADE_KERNEL_CODE uint64_t place(uint64_t begin, uint32_t k) const {
    return begin + k * Threads + machine_.thread();
  }
  /// Of the points of a warp, those in the threads' bits, in the order of the input, so that
  /// neighbours are written together; one addition a warp.
  COLONNADE_KERNEL_CODE void append(uint64_t begin, const point (&points)[Items], uint32_t kept) {
    if (machine_.ballot(kept != 0) == 0)
      return;
    uint32_t lanes[Items], all = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      all += Machine::count_ones(lanes[k] = machine_.ballot(kept >> k & 1));
    uint64_t first = 0;
    if (machine_.lane() == 0)
      first = machine_.take_global(&a_.state->kept, all);
    first = machine_.shuffle(first, 0);
    const uint32_t before = (1u << machine_.lane()) - 1;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      if (kept >> k & 1) {
        const uint64_t at = first + Machine::count_ones(lanes[k] & before);
        put_word(at, points[k].x);
        a_.indices[at] = static_cast<uint32_t>(place(begin, k));
      }
      first += Machine::count_ones(lanes[k]);
    }
  }

  COLONNADE_KERNEL_CODE void put_word(uint64_t at, coordinate x) const {
    if constexpr (sizeof(coordinate) == 8)
      if (a_.narrow_words) {
        a_.narrow_words[at] = narrow_words<Columns>(frame_)(x);
        return;
      }
    a_.words[at] = order_word(x);
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  const sieve_frame<coordinate> frame_;
};

} // namespace colonnade::detail

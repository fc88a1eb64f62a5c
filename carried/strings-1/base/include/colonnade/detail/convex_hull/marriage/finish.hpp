//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// finish.hpp: the last steps of marriage before conquest: vertices move together, and each gets the
// smallest index of the points in its place.
//
//   count_marks   how many marks there are before each tile of places
//   gather        corners and marked points, one behind the other
//   prepare       where the smallest and the largest vertex are; a bitmap of vertices, by a hash
//   look up       every point of the input outside the quadrilateral is looked up: first in the
//                 bitmap, then, in the chain of its edge, which is monotone, by a binary search
//   write         the vertices in the order that is wanted
//
// Points carry no index through the other steps: 8 bytes of a float's point are moved each time,
// not 12.
//
// In: marks and marked points. Out: the hull. Invariant: points inside the quadrilateral are no
// vertices; those to the right of an edge can be vertices of its chain only.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hull_order.hpp>
#include <colonnade/detail/convex_hull/last_place.hpp>
#include <colonnade/detail/convex_hull/marriage/quadrilateral.hpp>
#include <colonnade/detail/device/block_offsets.hpp>

namespace colonnade::detail {

template <class Points, class Output> struct finish_arguments {
  using coordinate = typename Points::coordinate;
  Points points;
  item_count num_points;
  marriage_storage<coordinate> s;
  hull_part part;
  Output out;

  /// In the second array; and in the first one what is found of each.
  COLONNADE_KERNEL_CODE point_of<coordinate> *vertices() const { return s.points[1]; }
  COLONNADE_KERNEL_CODE uint64_t *found() const {
    return reinterpret_cast<uint64_t *>(s.points[0]);
  }
};

/// First places of the edges' ranges.
COLONNADE_KERNEL_CODE void ranges_of_edges(const marriage_state &state, uint64_t (&begins)[5]) {
  begins[0] = 0;
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < 4; ++k)
    begins[k + 1] = begins[k] + state.outside[k];
}
/// Whether corner k is a vertex: the next one is elsewhere, or all are in one place.
template <class T>
COLONNADE_KERNEL_CODE bool counts_as_vertex(const quadrilateral<T> &corners, uint32_t k) {
  bool differs = false, all_same = true;
  COLONNADE_UNROLL
  for (uint32_t c = 0; c < 4; ++c) {
    const bool same = same_place(corners.corner[c], corners.corner[(c + 1) % 4]);
    all_same = all_same && same;
    differs = differs || (c == k && !same);
  }
  return differs || (all_same && k == 0);
}

/// So many words of marks are a tile.
template <class Points, class Output, uint32_t Threads, class Machine> class count_marks_block {
public:
  using arguments = finish_arguments<Points, Output>;
  static constexpr uint32_t threads = Threads, tile_words = 4 * Threads;
  struct storage {
    block_offsets_storage<uint32_t, Threads> offsets;
    uint32_t count, is_last;
  };

  COLONNADE_KERNEL_CODE count_marks_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    if (!has_corners(a_.s))
      return;
    uint64_t begins[5];
    ranges_of_edges(*a_.s.state, begins);
    const uint64_t words = begins[4] / 32 + 1;
    const uint32_t tiles = static_cast<uint32_t>((words - 1) / tile_words + 1);
    for (uint32_t tile = machine_.block(); tile < tiles; tile += machine_.num_blocks())
      count(tile, words);
    if (machine_.thread() == 0) {
      machine_.device_fence();
      s_.is_last = machine_.take_ticket(&a_.s.state->tiles_counted) + 1 == machine_.num_blocks();
      machine_.device_fence();
    }
    machine_.block_sync();
    if (!s_.is_last)
      return;
    uint32_t *counts = a_.s.tile_marks;
    const uint32_t all = block_offsets(
        machine_, s_.offsets, tiles, [&](uint64_t t) { return machine_.load_word(counts + t); },
        [&](uint64_t t, uint32_t sum) { counts[t] = sum; });
    if (machine_.thread() == 0) {
      a_.s.state->num_marks = all;
      uint64_t &longest = a_.s.state->counts.longest_independent;
      longest = ~longest; // it was a smallest complement
    }
  }

private:
  COLONNADE_KERNEL_CODE void count(uint32_t tile, uint64_t words) {
    if (machine_.thread() == 0)
      s_.count = 0;
    machine_.block_sync();
    uint32_t mine = 0;
    for (uint32_t k = machine_.thread(); k < tile_words; k += Threads)
      if (const uint64_t w = uint64_t{tile} * tile_words + k; w < words)
        mine += Machine::count_ones(a_.s.marks[w]);
    mine = warp_inclusive_sum(machine_, mine);
    if (machine_.lane() == 31)
      machine_.add_shared(&s_.count, mine);
    machine_.block_sync();
    if (machine_.thread() == 0)
      machine_.store_word(a_.s.tile_marks + tile, s_.count);
    machine_.block_sync(); // the count is free
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

template <class Points, class Output, uint32_t Threads, class Machine> class gather_vertices_block {
public:
  using arguments = finish_arguments<Points, Output>;
  using T = typename Points::coordinate;
  static constexpr uint32_t threads = Threads,
                            tile_words =
                                count_marks_block<Points, Output, Threads, Machine>::tile_words;
  struct storage {
    uint32_t scratch[Threads / 32], sum;
  };

  COLONNADE_KERNEL_CODE gather_vertices_block(const Machine &machine, const arguments &a,
                                              char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    if (!has_corners(a_.s))
      return;
    const quadrilateral<T> corners(a_.points, *a_.s.state);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      counts_[k] = counts_as_vertex(corners, k);
    ranges_of_edges(*a_.s.state, begins_);
    const uint64_t words = begins_[4] / 32 + 1;
    if (machine_.block() == 0 && machine_.thread() == 0)
      a_.s.state->num_hull =
          a_.s.state->num_marks + counts_[0] + counts_[1] + counts_[2] + counts_[3];
    for (uint64_t tile = machine_.block(); tile * tile_words < words;
         tile += machine_.num_blocks()) {
      uint32_t before = a_.s.tile_marks[tile];
      for (uint64_t row = tile * tile_words; row < (tile + 1) * tile_words && row < words;
           row += Threads)
        before += gather(corners, row + machine_.thread(), words, before);
    }
  }

private:
  /// Corners of edges up to that of a place.
  COLONNADE_KERNEL_CODE uint32_t corners_upto(uint64_t place) const {
    uint32_t count = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      count += counts_[k] && begins_[k] <= place;
    return count;
  }
  /// A thread's word; returns the marks of all threads' words.
  COLONNADE_KERNEL_CODE uint32_t gather(const quadrilateral<T> &corners, uint64_t w, uint64_t words,
                                        uint32_t before) {
    const uint32_t bits = w < words ? a_.s.marks[w] : 0, own = Machine::count_ones(bits);
    uint64_t rank = before + block_exclusive_sum(machine_, own, s_.scratch);
    if (machine_.thread() == Threads - 1)
      s_.sum = static_cast<uint32_t>(rank - before) + own;
    if (w < words)
      put_corners(corners, w, bits, rank);
    for (uint32_t left = bits; left != 0; left &= left - 1, ++rank) {
      const uint64_t place = w * 32 + Machine::first_one(left);
      a_.vertices()[rank + corners_upto(place)] = a_.s.points[0][place];
    }
    machine_.block_sync();
    const uint32_t sum = s_.sum;
    machine_.block_sync(); // the storage is free
    return sum;
  }
  /// Of edges whose range begins in this word. rank: of its first mark.
  COLONNADE_KERNEL_CODE void put_corners(const quadrilateral<T> &corners, uint64_t w, uint32_t bits,
                                         uint64_t rank) const {
    uint32_t earlier = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      if (begins_[k] / 32 == w) {
        const uint32_t below = (uint32_t{1} << begins_[k] % 32) - 1;
        const uint64_t at = rank + Machine::count_ones(bits & below) + earlier;
        a_.s.state->corner_ranks[k] = at;
        if (counts_[k])
          a_.vertices()[at] = corners.corner[k];
      }
      earlier += counts_[k];
    }
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  bool counts_[4];
  uint64_t begins_[5];
};

/// Bits of the bitmap: a power of two.
COLONNADE_KERNEL_CODE uint32_t bitmap_mask(uint64_t num_hull, uint64_t most) {
  uint64_t bits = 1024;
  while (bits < 64 * num_hull && 2 * bits <= most && bits < uint64_t{1} << 31)
    bits *= 2;
  return bits <= mark_words(most) * 32 ? static_cast<uint32_t>(bits - 1) : 0;
}
/// The same for -0.0 and 0.0.
template <class T> COLONNADE_KERNEL_CODE uint32_t hash_of(const point_of<T> &p) {
  const auto x = in_order(p.x), y = in_order(p.y);
  if constexpr (sizeof(T) == 8)
    return scrambled(scrambled(static_cast<uint32_t>(x), static_cast<uint32_t>(x >> 32)),
                     scrambled(static_cast<uint32_t>(y), static_cast<uint32_t>(y >> 32)));
  else
    return scrambled(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
}

template <class Points, class Output, uint32_t Threads, class Machine>
class prepare_vertices_block {
public:
  using arguments = finish_arguments<Points, Output>;
  using T = typename Points::coordinate;
  static constexpr uint32_t threads = Threads;

  COLONNADE_KERNEL_CODE prepare_vertices_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() {
    if (!has_corners(a_.s))
      return;
    const uint64_t h = a_.s.state->num_hull;
    const uint32_t mask = bitmap_mask(h, a_.num_points.most);
    for (uint64_t i = uint64_t{machine_.block()} * Threads + machine_.thread(); i < h;
         i += uint64_t{machine_.num_blocks()} * Threads) {
      const point_of<T> p = a_.vertices()[i], before = a_.vertices()[i ? i - 1 : h - 1],
                        behind = a_.vertices()[i + 1 < h ? i + 1 : 0];
      // Of a convex polygon, whoever is less than both neighbours is the smallest.
      if (h == 1 || (lexicographically_less(p, before) && lexicographically_less(p, behind)))
        a_.s.state->first = i;
      if (h == 1 || (lexicographically_less(before, p) && lexicographically_less(behind, p)))
        a_.s.state->last = i;
      a_.found()[i] = ~uint64_t{0};
      set_bit(hash_of(p) & mask);
    }
  }

private:
  COLONNADE_KERNEL_CODE void set_bit(uint32_t at) const {
    uint32_t *word = a_.s.bitmap + at / 32, known = machine_.load_word(word);
    const uint32_t bit = uint32_t{1} << at % 32;
    while (!(known & bit)) {
      const uint32_t before = exchange_if_equal(machine_, word, known, known | bit);
      if (before == known)
        return;
      known = before;
    }
  }

  const Machine &machine_;
  const arguments &a_;
};

/// Few points are in the bitmap, and a search takes long: each warp collects such points until it
/// has one for each lane.
template <class Points, class Output, uint32_t Threads, class Machine> class look_up_block {
public:
  using arguments = finish_arguments<Points, Output>;
  using T = typename Points::coordinate;
  static constexpr uint32_t threads = Threads, items = 4; // points of a thread at once
  struct collected {
    point_of<T> points[32 * (items + 1)];
    uint64_t indices[32 * (items + 1)];
  };
  struct storage {
    collected warps[Threads / 32];
  };

  COLONNADE_KERNEL_CODE look_up_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(reinterpret_cast<storage *>(shared)->warps[machine.warp()]) {}

  COLONNADE_KERNEL_CODE void run() {
    if (!has_corners(a_.s))
      return;
    const quadrilateral<T> corners(a_.points, *a_.s.state);
    const uint64_t n = a_.num_points.now(), h = a_.s.state->num_hull;
    const uint32_t mask = bitmap_mask(h, a_.num_points.most);
    uint64_t ranks[5];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      ranks[k] = a_.s.state->corner_ranks[k];
    ranks[4] = h;
    uint32_t count = 0;
    for (uint64_t first = uint64_t{machine_.block()} * Threads * items; first < n;
         first += uint64_t{machine_.num_blocks()} * Threads * items) {
      count = collect(first + machine_.thread(), n, mask, count);
      for (; count >= 32; count -= 32)
        look_up(corners, ranks, count - 32 + machine_.lane());
      machine_.warp_sync(); // the places are free
    }
    if (machine_.lane() < count)
      look_up(corners, ranks, machine_.lane());
  }

private:
  /// A thread's points i, i + Threads, ...; how many are collected then.
  COLONNADE_KERNEL_CODE uint32_t collect(uint64_t i, uint64_t n, uint32_t mask, uint32_t count) {
    point_of<T> points[items];
    bool hits[items];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k)
      points[k] = a_.points[i + k * Threads < n ? i + k * Threads : 0];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k) {
      const uint32_t hash = hash_of(points[k]) & mask;
      hits[k] = i + k * Threads < n && (a_.s.bitmap[hash / 32] >> hash % 32 & 1) != 0;
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < items; ++k) {
      const uint32_t lanes = machine_.ballot(hits[k]);
      const uint32_t at =
          count + Machine::count_ones(lanes & ((uint32_t{1} << machine_.lane()) - 1));
      if (hits[k]) {
        s_.points[at] = points[k];
        s_.indices[at] = i + k * Threads;
      }
      count += Machine::count_ones(lanes);
    }
    machine_.warp_sync(); // all are written
    return count;
  }
  COLONNADE_KERNEL_CODE void look_up(const quadrilateral<T> &corners, const uint64_t (&ranks)[5],
                                     uint32_t place) const {
    look_up(corners, ranks, s_.points[place], s_.indices[place]);
  }
  COLONNADE_KERNEL_CODE void look_up(const quadrilateral<T> &corners, const uint64_t (&ranks)[5],
                                     const point_of<T> &p, uint64_t i) const {
    const uint32_t edge = corners.edge_of(p);
    uint64_t begin = 0, end = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
      if (k == edge)
        begin = ranks[k], end = ranks[k + 1];
      if (edge == 4 && same_place(corners.corner[k], p) && counts_as_vertex(corners, k))
        machine_.min_global(a_.found() + ranks[k], i);
    }
    if (begin == end)
      return;
    const uint64_t at =
        last_place(begin, end, [&](uint64_t v) { return !goes_before(edge, p, a_.vertices()[v]); });
    if (same_place(a_.vertices()[at], p))
      machine_.min_global(a_.found() + at, i);
  }
  /// Chains go to the right, up, to the left, down.
  COLONNADE_KERNEL_CODE static bool goes_before(uint32_t edge, const point_of<T> &p,
                                                const point_of<T> &q) {
    const T &a = edge % 2 ? p.y : p.x, &b = edge % 2 ? q.y : q.x;
    return edge < 2 ? is_less(a, b) : is_less(b, a);
  }

  const Machine &machine_;
  const arguments &a_;
  collected &s_;
};

template <class Points, class Output, uint32_t Threads, class Machine> class write_marriage_block {
public:
  using arguments = finish_arguments<Points, Output>;
  using T = typename Points::coordinate;
  static constexpr uint32_t threads = Threads;

  COLONNADE_KERNEL_CODE write_marriage_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() {
    const bool is_first = machine_.block() == 0 && machine_.thread() == 0;
    if (!has_corners(a_.s)) {
      if (is_first && a_.s.state->refused != ~uint64_t{0})
        a_.out.refuse(machine_, a_.s.state->refused);
      else if (is_first)
        a_.out.put_count(machine_, 0);
      return;
    }
    const uint64_t h = a_.s.state->num_hull;
    uint64_t from = a_.s.state->first, to = a_.s.state->last, count = h;
    const bool upper = a_.part == hull_part::upper;
    if (a_.part == hull_part::lower)
      to = stepped_over_vertical(to, h); // the lowest of the rightmost
    if (upper)
      from = stepped_over_vertical(from, h); // the highest of the leftmost
    if (a_.part != hull_part::whole)
      count = (upper ? between(to, from, h) : between(from, to, h)) + 1;
    if (is_first)
      a_.out.put_count(machine_, count);
    for (uint64_t i = uint64_t{machine_.block()} * Threads + machine_.thread(); i < h;
         i += uint64_t{machine_.num_blocks()} * Threads)
      if (const uint64_t place = upper ? between(i, from, h) : between(from, i, h); place < count)
        a_.out.put(a_.points, place, static_cast<uint32_t>(a_.found()[i]));
  }

private:
  /// Steps counter-clockwise.
  COLONNADE_KERNEL_CODE static uint64_t between(uint64_t a, uint64_t b, uint64_t h) {
    return b >= a ? b - a : b + h - a;
  }
  /// Clockwise, if the neighbour has the same x.
  COLONNADE_KERNEL_CODE uint64_t stepped_over_vertical(uint64_t i, uint64_t h) const {
    const uint64_t next = i ? i - 1 : h - 1;
    return is_equal(a_.vertices()[i].x, a_.vertices()[next].x) ? next : i;
  }

  const Machine &machine_;
  const arguments &a_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// chord_sieve.hpp: of a tile's points by x, those that may stand on its hoods.
//
//   tops       of each part of neighbours the highest and the lowest point
//   extremes   of each part those that lie farthest above and below the slope from the top of the
//              part before to that of the part behind
//   sieve      a point is not on the upper hood if it is surely below the chord between the upper
//              extremes on both sides of it; likewise on the lower one
//
// In: the points of a tile in shared memory, by x. Out: two lists of places in the tile, in order:
// of points that may be on the lower hood, and on the upper one. Invariant: any choice of extremes
// gives a sieve that is right, since they are points of the tile, one to the left and one to the
// right; so what finds them may be rounded. Extremes stay on their list, so that none is empty.
//
// Why: the hood of k points in a strip has far fewer vertices than points, even on a circle, where
// it is the rounding that bends it; one chain after the other over all of them is slow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/chord_roof.hpp>
#include <colonnade/detail/convex_hull/distance_words.hpp>
#include <colonnade/detail/device/block_scan.hpp>

#include <bit>
#include <cmath>

namespace colonnade::detail {

/// A line from which heights are measured.
template <class T> struct height_line {
  rough_number<T> x, y, slope;

  COLONNADE_KERNEL_CODE float operator()(const point_of<T> &p) const {
    using number = rough_number<T>;
    return static_cast<float>(static_cast<number>(p.y) - y -
                              slope * (static_cast<number>(p.x) - x));
  }
};

template <class T, uint32_t Threads> struct chord_sieve_storage {
  static constexpr uint32_t warps = Threads / 32, parts = 2 * warps;
  uint16_t tops[2][parts], extremes[2][parts]; // places: lower ones, upper ones
  uint32_t counts[warps];                      // of what each keeps; of the upper list times 2^16
  union {
    height_line<T> lines[2][parts];
    chord_roof<T> roofs[2][parts];
  };
};

template <class T, uint32_t Threads, uint32_t Items, class Machine> class chord_sieve {
public:
  using storage = chord_sieve_storage<T, Threads>;
  static constexpr uint32_t warps = storage::warps, parts = storage::parts;

  /// point(i): at place i of the tile, by x; at least one.
  COLONNADE_KERNEL_CODE chord_sieve(const Machine &machine, storage &s, const point_of<T> *points,
                                    uint32_t num_points)
      : machine_(machine), s_(s), points_(points), num_points_(num_points),
        rows_((num_points + 32 * parts - 1) / (32 * parts)) {}

  /// By all threads; listed: how many are on each list. The points are there, and lists are after a
  /// block_sync.
  COLONNADE_KERNEL_CODE void run(uint16_t *lower, uint16_t *upper, uint32_t (&listed)[2]) {
    find_tops();
    machine_.block_sync();
    find_extremes();
    machine_.block_sync();
    share(s_.roofs, [&](uint32_t half, uint32_t part) { return roof_over(half, part); });
    list(lower, upper, sieve(), listed);
  }

private:
  using number = rough_number<T>;
  static constexpr uint32_t most_rows = (Items + 1) / 2, // of 32 points, in a part
      few = 8;                                           // kept in a row
  static constexpr uint32_t number_bits = std::bit_ceil(32 * most_rows) - 1;
  static_assert(4 * most_rows <= 32, "convex hull: a lane for each row of a warp, on either list");

  /// Of a warp's two.
  COLONNADE_KERNEL_CODE uint32_t part(uint32_t k) const { return 2 * machine_.warp() + k; }
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t k, uint32_t row) const {
    return (part(k) * rows_ + row) * 32 + machine_.lane();
  }

  /// Through the top of a part, with the slope between its neighbours' tops.
  COLONNADE_KERNEL_CODE height_line<T> line_along(uint32_t half, uint32_t part) const {
    const point_of<T> at = points_[s_.tops[half][part]],
                      a = points_[s_.tops[half][part > 0 ? part - 1 : 0]],
                      b = points_[s_.tops[half][part + 1 < parts ? part + 1 : part]];
    const float width = static_cast<float>(static_cast<number>(b.x) - static_cast<number>(a.x)),
                height = static_cast<float>(static_cast<number>(b.y) - static_cast<number>(a.y));
    return {static_cast<number>(at.x), static_cast<number>(at.y), width > 0 ? height / width : 0};
  }
  /// Each half of each of the warp's parts by a lane: what all lanes would compute alike else.
  /// make(half, part): what its entry becomes.
  template <class Entry, class Make>
  COLONNADE_KERNEL_CODE void share(Entry (&entries)[2][parts], Make make) const {
    if (machine_.lane() < 4) {
      const uint32_t half = machine_.lane() / 2, mine = part(machine_.lane() % 2);
      entries[half][mine] = make(half, mine);
    }
    machine_.warp_sync();
  }

  /// The places of a part's lowest point above one line and of its highest above another; those of
  /// any points if heights are no numbers. lower(p), upper(p): heights.
  template <class Lower, class Upper>
  COLONNADE_KERNEL_CODE void find_farthest(uint32_t k, const Lower &lower, const Upper &upper,
                                           uint16_t (&places)[2][parts]) const {
    float least = INFINITY, most = -INFINITY;
    COLONNADE_UNROLL
    for (uint32_t row = 0; row < most_rows; ++row)
      if (row < rows_ && place(k, row) < num_points_) {
        const point_of<T> p = points_[place(k, row)];
        const uint32_t number = 32 * row + machine_.lane();
        least = fminf(least, with_number(lower(p), number, number_bits));
        most = fmaxf(most, with_number(upper(p), number, number_bits));
      }
    const uint32_t words[2] = {~machine_.largest(~distance_word(least)),
                               machine_.largest(distance_word(most))};
    if (machine_.lane() == 0)
      for (uint32_t half = 0; half < 2; ++half)
        places[half][part(k)] = static_cast<uint16_t>(place_of(k, distance_of(words[half])));
  }
  /// By lane 0.
  COLONNADE_KERNEL_CODE uint32_t place_of(uint32_t k, float height) const {
    const uint32_t number = number_in(height, number_bits),
                   at = place(k, 0) + (number < 32 * rows_ ? number : 0);
    return at < num_points_ ? at : num_points_ - 1;
  }
  COLONNADE_KERNEL_CODE void find_tops() {
    const number level = static_cast<number>(points_[0].y);
    const auto height = [&](const point_of<T> &p) {
      return static_cast<float>(static_cast<number>(p.y) - level);
    };
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k)
      find_farthest(k, height, height, s_.tops);
  }
  COLONNADE_KERNEL_CODE void find_extremes() {
    share(s_.lines, [&](uint32_t half, uint32_t part) { return line_along(half, part); });
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k) {
      const height_line<T> lower = s_.lines[0][part(k)], upper = s_.lines[1][part(k)];
      find_farthest(k, lower, upper, s_.extremes);
    }
  }

  /// Over a part's extreme, to those of its neighbours.
  COLONNADE_KERNEL_CODE chord_roof<T> roof_over(uint32_t half, uint32_t part) const {
    const uint16_t *places = s_.extremes[half];
    return roof_of(half != 0, points_[part > 0 ? places[part - 1] : 0], points_[places[part]],
                   points_[part + 1 < parts ? places[part + 1] : num_points_ - 1]);
  }
  /// Of each half, part and row a lane gets the bits of those that are not covered.
  COLONNADE_KERNEL_CODE uint32_t sieve() const {
    uint32_t kept = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k) {
      const chord_roof<T> roofs[2] = {s_.roofs[0][part(k)], s_.roofs[1][part(k)]};
      COLONNADE_UNROLL
      for (uint32_t row = 0; row < most_rows; ++row)
        if (row < rows_) {
          const bool is_in = place(k, row) < num_points_;
          const point_of<T> p = points_[is_in ? place(k, row) : 0];
          COLONNADE_UNROLL
          for (uint32_t half = 0; half < 2; ++half) {
            const uint32_t lanes = machine_.ballot(is_in && !roofs[half].covers(half != 0, p));
            if (machine_.lane() == (2 * half + k) * most_rows + row)
              kept = lanes;
          }
        }
    }
    return kept;
  }
  /// kept: from sieve().
  COLONNADE_KERNEL_CODE void list(uint16_t *lower, uint16_t *upper, uint32_t kept,
                                  uint32_t (&listed)[2]) {
    const uint32_t half = machine_.lane() / (2 * most_rows) != 0, shift = 16 * half,
                   count = Machine::count_ones(kept) << shift,
                   sum = warp_inclusive_sum(machine_, count);
    if (machine_.lane() == 31)
      s_.counts[machine_.warp()] = sum;
    machine_.block_sync();
    uint32_t before = sum - count, all = 0;
    for (uint32_t w = 0; w < warps; ++w) {
      before += w < machine_.warp() ? s_.counts[w] : 0;
      all += s_.counts[w];
    }
    listed[0] = all & 0xffff;
    listed[1] = all >> 16;
    before = before >> shift & 0xffff;
    if (machine_.ballot(Machine::count_ones(kept) > few) == 0)
      write_few((half ? upper : lower) + before, row_begin(machine_.lane()), kept);
    else
      write_many(lower, upper, before, kept);
  }
  /// The first place of the row whose bits a lane has.
  COLONNADE_KERNEL_CODE uint32_t row_begin(uint32_t lane) const {
    const uint32_t row = lane % (2 * most_rows);
    return (part(row / most_rows) * rows_ + row % most_rows) * 32;
  }
  /// A lane writes its row.
  COLONNADE_KERNEL_CODE void write_few(uint16_t *list, uint32_t first, uint32_t kept) const {
    for (; kept != 0; kept &= kept - 1)
      *list++ = static_cast<uint16_t>(first + Machine::first_one(kept));
  }
  /// All lanes write one row after the other. before: of the lane's row, on its list.
  COLONNADE_KERNEL_CODE void write_many(uint16_t *lower, uint16_t *upper, uint32_t before,
                                        uint32_t kept) const {
    COLONNADE_UNROLL
    for (uint32_t owner = 0; owner < 4 * most_rows; ++owner) {
      const uint32_t lanes = machine_.shuffle(kept, owner), at = machine_.shuffle(before, owner),
                     below = lanes & ((1u << machine_.lane()) - 1);
      if (lanes >> machine_.lane() & 1)
        (owner < 2 * most_rows ? lower : upper)[at + Machine::count_ones(below)] =
            static_cast<uint16_t>(row_begin(owner) + machine_.lane());
    }
  }

  const Machine &machine_;
  storage &s_;
  const point_of<T> *points_;
  uint32_t num_points_, rows_; // rows: of each part
};

} // namespace colonnade::detail

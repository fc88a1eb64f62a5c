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

#include <colonnade/detail/convex_hull/distance_words.hpp>
#include <colonnade/detail/convex_hull/rough.hpp>
#include <colonnade/detail/device/block_scan.hpp>

#include <bit>
#include <cmath>

namespace colonnade::detail {

template <uint32_t Threads> struct chord_sieve_storage {
  static constexpr uint32_t warps = Threads / 32, parts = 2 * warps;
  uint16_t tops[2][parts], extremes[2][parts]; // places: lower ones, upper ones
  uint32_t counts[warps];                      // of what each keeps; of the upper list times 2^16
};

template <class T, uint32_t Threads, uint32_t Items, class Machine> class chord_sieve {
public:
  using storage = chord_sieve_storage<Threads>;
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
    uint32_t kept[2] = {0, 0};
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k)
      sieve(k, kept);
    list(lower, upper, kept, listed);
  }

private:
  using number = rough_number<T>;
  static constexpr uint32_t most_rows = (Items + 1) / 2; // of 32 points, in a part
  static constexpr uint32_t number_bits = std::bit_ceil(32 * most_rows) - 1;

  /// Of a warp's two.
  COLONNADE_KERNEL_CODE uint32_t part(uint32_t k) const { return 2 * machine_.warp() + k; }
  COLONNADE_KERNEL_CODE uint32_t place(uint32_t k, uint32_t row) const {
    return (part(k) * rows_ + row) * 32 + machine_.lane();
  }

  /// A line from which distances are measured upwards.
  struct line {
    number x, y;
    float slope;
    COLONNADE_KERNEL_CODE float height(const point_of<T> &p) const {
      return static_cast<float>(static_cast<number>(p.y) - y) -
             slope * static_cast<float>(static_cast<number>(p.x) - x);
    }
  };
  COLONNADE_KERNEL_CODE line level_line() const {
    return {static_cast<number>(points_[0].x), static_cast<number>(points_[0].y), 0};
  }
  /// Through the top of a part, with the slope between its neighbours' tops.
  COLONNADE_KERNEL_CODE line line_along(uint32_t half, uint32_t part) const {
    const point_of<T> at = points_[s_.tops[half][part]],
                      a = points_[s_.tops[half][part > 0 ? part - 1 : 0]],
                      b = points_[s_.tops[half][part + 1 < parts ? part + 1 : part]];
    const float width = static_cast<float>(static_cast<number>(b.x) - static_cast<number>(a.x)),
                height = static_cast<float>(static_cast<number>(b.y) - static_cast<number>(a.y));
    return {static_cast<number>(at.x), static_cast<number>(at.y), width > 0 ? height / width : 0};
  }

  /// The places of a part's lowest point above one line and of its highest above another; those of
  /// any points if heights are no numbers.
  COLONNADE_KERNEL_CODE void find_farthest(uint32_t k, const line &lower, const line &upper,
                                           uint16_t (&places)[2][parts]) const {
    float least = INFINITY, most = -INFINITY;
    COLONNADE_UNROLL
    for (uint32_t row = 0; row < most_rows; ++row)
      if (row < rows_ && place(k, row) < num_points_) {
        const point_of<T> p = points_[place(k, row)];
        const uint32_t number = 32 * row + machine_.lane();
        least = fminf(least, with_number(lower.height(p), number, number_bits));
        most = fmaxf(most, with_number(upper.height(p), number, number_bits));
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
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k)
      find_farthest(k, level_line(), level_line(), s_.tops);
  }
  COLONNADE_KERNEL_CODE void find_extremes() {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 2; ++k)
      find_farthest(k, line_along(0, part(k)), line_along(1, part(k)), s_.extremes);
  }

  /// The chords to both sides of a part's extreme.
  struct chords {
    point_of<T> left, middle;
    rough_vector<number> to_middle, to_right;
    uint32_t place; // of the extreme

    COLONNADE_KERNEL_CODE rough_value<number> side_of_chord(const point_of<T> &p,
                                                            uint32_t at) const {
      const bool is_left = at <= place;
      return rough_cross<number>(
          {is_left ? to_middle.x : to_right.x, is_left ? to_middle.y : to_right.y},
          rough_difference(p,
                           point_of<T>{is_left ? left.x : middle.x, is_left ? left.y : middle.y}));
    }
  };
  COLONNADE_KERNEL_CODE chords chords_of(uint32_t half, uint32_t part) const {
    const uint32_t at = s_.extremes[half][part];
    const point_of<T> left = points_[part > 0 ? s_.extremes[half][part - 1] : 0],
                      middle = points_[at],
                      right =
                          points_[part + 1 < parts ? s_.extremes[half][part + 1] : num_points_ - 1];
    return {left, middle, rough_difference(middle, left), rough_difference(right, middle), at};
  }
  /// Bits of rows: the warp's first part has the lowest ones.
  COLONNADE_KERNEL_CODE void sieve(uint32_t k, uint32_t (&kept)[2]) const {
    const chords lower = chords_of(0, part(k)), upper = chords_of(1, part(k));
    COLONNADE_UNROLL
    for (uint32_t row = 0; row < most_rows; ++row)
      if (row < rows_ && place(k, row) < num_points_) {
        const uint32_t at = place(k, row), bit = 1u << (k * most_rows + row);
        const point_of<T> p = points_[at];
        kept[0] |= lower.side_of_chord(p, at).is_surely_positive() ? 0 : bit;
        kept[1] |= upper.side_of_chord(p, at).is_surely_negative() ? 0 : bit;
      }
  }
  COLONNADE_KERNEL_CODE void list(uint16_t *lower, uint16_t *upper, const uint32_t (&kept)[2],
                                  uint32_t (&listed)[2]) {
    const uint32_t count = warp_inclusive_sum(machine_, Machine::count_ones(kept[0]) |
                                                            Machine::count_ones(kept[1]) << 16);
    if (machine_.lane() == 31)
      s_.counts[machine_.warp()] = count;
    machine_.block_sync();
    uint32_t before = 0, all = 0;
    for (uint32_t w = 0; w < warps; ++w) {
      before += w < machine_.warp() ? s_.counts[w] : 0;
      all += s_.counts[w];
    }
    listed[0] = all & 0xffff;
    listed[1] = all >> 16;
    write(lower + (before & 0xffff), kept[0]);
    write(upper + (before >> 16), kept[1]);
  }
  COLONNADE_KERNEL_CODE void write(uint16_t *list, uint32_t kept) const {
    const uint32_t below = (1u << machine_.lane()) - 1;
    COLONNADE_UNROLL
    for (uint32_t row = 0; row < 2 * most_rows; ++row) {
      const uint32_t lanes = machine_.ballot(kept >> row & 1);
      if (kept >> row & 1)
        list[Machine::count_ones(lanes & below)] =
            static_cast<uint16_t>(place(row / most_rows, row % most_rows));
      list += Machine::count_ones(lanes);
    }
  }

  const Machine &machine_;
  storage &s_;
  const point_of<T> *points_;
  uint32_t num_points_, rows_; // rows: of each part
};

} // namespace colonnade::detail

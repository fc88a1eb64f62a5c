//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sample.hpp: a polygon from a sample of the points, and the sieve that it gives.
//
//   scale      every block finds how wide and high the same few points lie
//   extremes   every block takes some points, spread over the whole input, and tells which of them
//              lies farthest in each of many directions
//   sieve      the last block to end makes chains of the points that were told, by x, below and
//              above, and from these the sieve's columns
//
// In: the points. Out: the sieve. Invariant: any choice of points gives a sieve that is right: a
// chain goes from point to point of the input, always to the right, so it and all its chords are
// within the hull; a better choice takes more. Where there are too few points for a sample to pay,
// it takes nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/distance_words.hpp>
#include <colonnade/detail/convex_hull/sieve.hpp>
#include <colonnade/detail/exact/finite.hpp>
#include <colonnade/hull_points.hpp>
#include <colonnade/item_count.hpp>

#include <bit>
#include <cmath>

namespace colonnade::detail {

template <class Points, class Chains> struct hull_sample_arguments {
  using coordinate = typename Points::coordinate;
  Points points;
  item_count num_points;
  uint64_t least_points; // below: no sample is taken
  uint64_t hollow_points;
  uint64_t *told; // of each direction, what told_word says of the farthest point
  uint32_t *done; // blocks that have told theirs, 0 at first
  sieve_frame<coordinate> *frame;
  sieve_column<sieve_number<coordinate>> *columns;
  Chains *chains; // if there is a frame
};

/// The least is that of the farthest point; of several, of the one with the smallest index.
COLONNADE_KERNEL_CODE uint64_t told_word(float distance, uint32_t index) {
  return uint64_t{~distance_word(distance)} << 32 | index;
}

/// Blocks: how many take points, Threads * Items each. Slopes: directions in an eighth of a turn;
/// HollowSlopes: of many points with nothing in the middle, of which fewer directions would leave
/// all, if they lie in a narrow ring.
template <class Points, uint32_t Threads, uint32_t Items, uint32_t Blocks, uint32_t Slopes,
          uint32_t HollowSlopes, uint32_t Columns, class Machine>
class hull_sample_block {
public:
  static constexpr uint32_t threads = Threads, warps = Threads / 32, num_blocks = Blocks,
                            most_half = 4 * HollowSlopes, most_directions = 2 * most_half;
  using coordinate = typename Points::coordinate;
  using chains_type = sieve_chains<coordinate, Columns, most_half + 1>;
  using arguments = hull_sample_arguments<Points, chains_type>;
  using point = point_of<coordinate>;
  using number = sieve_number<coordinate>;
  static_assert(Slopes <= HollowSlopes);
  struct storage {
    uint32_t bounds[warps][4], middle[warps], crowded[(Columns + 31) / 32];
    float a[most_half], b[most_half];
    uint32_t words[warps][most_directions];
    uint32_t indices[most_directions];
    point points[most_directions];
    uint8_t kept[2][most_half];
    point chains[2][most_half + 1]; // the lower and the upper one
    uint32_t counts[2], is_last;
  };

  COLONNADE_KERNEL_CODE hull_sample_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t n = a_.num_points.now();
    if (n < a_.least_points || n < Blocks) {
      if (machine_.block() == 0 && machine_.thread() == 0)
        *a_.frame = {coordinate{}, coordinate{}, 0, {}, ~uint32_t{0}};
      return;
    }
    const uint64_t share = n / Blocks;
    size_ = share < Threads * Items ? static_cast<uint32_t>(share) : Threads * Items;
    step_ = (n << fraction_bits) / (uint64_t{Blocks} * size_);
    point mine[Items];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Items; ++i)
      mine[i] = a_.points[index(number_of(i))];
    const point common = common_point(n);
    find_scale(common, a_.points[n / 2]); // any point: where most are, differences are exact
    if (n >= a_.hollow_points && is_hollow(common))
      slopes_ = HollowSlopes;
    half_ = 4 * slopes_;
    for (uint32_t k = machine_.thread(); k < half_; k += Threads)
      place_direction(k);
    machine_.block_sync();
    find_extremes(mine);
    tell();
    if (is_last_block())
      make_sieve();
  }

private:
  /// Moves points to the middle of the scale's, which are about one wide and high then.
  struct scale {
    number x0, y0;
    float x, y, by_width, by_height;

    COLONNADE_KERNEL_CODE float x_of(const point &p) const {
      return (static_cast<float>(static_cast<number>(p.x) - x0) - x) * by_width;
    }
    COLONNADE_KERNEL_CODE float y_of(const point &p) const {
      return (static_cast<float>(static_cast<number>(p.y) - y0) - y) * by_height;
    }
  };

  /// Of the block's points; threads that have too few take the last one again.
  COLONNADE_KERNEL_CODE uint32_t number_of(uint32_t i) const {
    const uint32_t number = i * Threads + machine_.thread();
    return number < size_ ? number : size_ - 1;
  }
  COLONNADE_KERNEL_CODE uint64_t index(uint32_t number) const {
    return place_in_step(number * Blocks + machine_.block(), step_);
  }
  /// The thread's of a few points from all parts of the input, the same ones in all blocks.
  COLONNADE_KERNEL_CODE point common_point(uint64_t n) const {
    return a_.points[place_in_step(machine_.thread(), (n << fraction_bits) / Threads)];
  }
  static constexpr uint32_t fraction_bits = 12; // of a step
  /// One point of each step k, as a hash says: with equal steps an order that repeats as they do
  /// would hide points from the sample, and the first point of all is often not like the others.
  static COLONNADE_KERNEL_CODE uint64_t place_in_step(uint32_t k, uint64_t step) {
    uint32_t hash = (k + 1) * 0x9e3779b9u;
    hash = (hash ^ hash >> 15) * 0x85ebca6bu;
    hash ^= hash >> 13;
    return (k * step + (uint64_t{hash >> 16} * step >> 16)) >> fraction_bits;
  }
  /// Of half a turn, counter-clockwise from that of x; dense where they are close to an axis, as
  /// corners of squares need.
  COLONNADE_KERNEL_CODE void place_direction(uint32_t k) {
    const uint32_t eighth = k / slopes_, i = k % slopes_;
    const float u = static_cast<float>(eighth % 2 ? slopes_ - i : i) / static_cast<float>(slopes_);
    const float slope = u * u * sqrtf(u);
    s_.a[k] = eighth == 0 ? 1.0f : eighth == 1 ? slope : eighth == 2 ? -slope : -1.0f;
    s_.b[k] = eighth == 0 || eighth == 3 ? slope : 1.0f;
  }

  /// The threads have one point each.
  COLONNADE_KERNEL_CODE void find_scale(const point &p, const point &origin) {
    scale_ = {static_cast<number>(origin.x), static_cast<number>(origin.y), 0, 0, 1, 1};
    const uint32_t x = distance_word(scale_.x_of(p)), y = distance_word(scale_.y_of(p));
    const uint32_t words[4] = {machine_.largest(~x), machine_.largest(x), machine_.largest(~y),
                               machine_.largest(y)};
    if (machine_.lane() == 0)
      for (uint32_t k = 0; k < 4; ++k)
        s_.bounds[machine_.warp()][k] = words[k];
    machine_.block_sync();
    uint32_t bounds[4] = {0, 0, 0, 0};
    for (uint32_t w = 0; w < warps; ++w)
      for (uint32_t k = 0; k < 4; ++k)
        bounds[k] = s_.bounds[w][k] > bounds[k] ? s_.bounds[w][k] : bounds[k];
    place_range(distance_of(~bounds[0]), distance_of(bounds[1]), scale_.x, scale_.by_width);
    place_range(distance_of(~bounds[2]), distance_of(bounds[3]), scale_.y, scale_.by_height);
  }
  static COLONNADE_KERNEL_CODE void place_range(float low, float high, float &middle,
                                                float &by_width) {
    middle = low / 2 + high / 2;
    by_width = high > low ? 1 / (high - low) : 0;
  }

  /// Whether all of the threads' points are away from the middle.
  COLONNADE_KERNEL_CODE bool is_hollow(const point &p) {
    const float x = scale_.x_of(p), y = scale_.y_of(p);
    const uint32_t nearest = machine_.largest(~distance_word(x * x + y * y));
    if (machine_.lane() == 0)
      s_.middle[machine_.warp()] = nearest;
    machine_.block_sync();
    bool hollow = true;
    for (uint32_t w = 0; w < warps; ++w)
      hollow &= s_.middle[w] < ~distance_word(0.04f); // a fifth of what is about one wide
    return hollow;
  }

  static constexpr uint32_t number_bits = std::bit_ceil(Threads * Items) - 1;
  COLONNADE_KERNEL_CODE void find_extremes(const point (&mine)[Items]) {
    float x[Items], y[Items];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Items; ++i)
      x[i] = scale_.x_of(mine[i]), y[i] = scale_.y_of(mine[i]);
    COLONNADE_UNROLL_BY(4)
    for (uint32_t k = 0; k < half_; ++k) {
      const float a = s_.a[k], b = s_.b[k];
      float most = with_number(a * x[0] + b * y[0], number_of(0), number_bits), least = most;
      COLONNADE_UNROLL
      for (uint32_t i = 1; i < Items; ++i) {
        const float distance = with_number(a * x[i] + b * y[i], number_of(i), number_bits);
        most = fmaxf(most, distance);
        least = fminf(least, distance);
      }
      const uint32_t largest = machine_.largest(distance_word(most)),
                     smallest = machine_.largest(~distance_word(least));
      if (machine_.lane() == 0) {
        s_.words[machine_.warp()][k] = largest;
        s_.words[machine_.warp()][half_ + k] = smallest;
      }
    }
    machine_.block_sync();
  }
  /// Blocks compare what is not rounded to make room for numbers.
  COLONNADE_KERNEL_CODE void tell() const {
    for (uint32_t k = machine_.thread(); k < 2 * half_; k += Threads) {
      uint32_t word = 0;
      for (uint32_t w = 0; w < warps; ++w)
        word = s_.words[w][k] > word ? s_.words[w][k] : word;
      const uint32_t number = number_in(distance_of(k < half_ ? word : ~word), number_bits);
      const uint64_t at = index(number < size_ ? number : 0); // what is no number has any
      const point p = a_.points[at];
      const float along = s_.a[k % half_] * scale_.x_of(p) + s_.b[k % half_] * scale_.y_of(p);
      machine_.min_global(a_.told + k,
                          told_word(k < half_ ? along : -along, static_cast<uint32_t>(at)));
    }
  }
  COLONNADE_KERNEL_CODE bool is_last_block() const {
    machine_.device_fence();
    machine_.block_sync();
    if (machine_.thread() == 0)
      s_.is_last = machine_.take_ticket(a_.done) == Blocks - 1;
    machine_.block_sync();
    machine_.device_fence();
    return s_.is_last;
  }

  COLONNADE_KERNEL_CODE void make_sieve() {
    for (uint32_t k = machine_.thread(); k < 2 * half_; k += Threads) {
      s_.indices[k] = static_cast<uint32_t>(machine_.load_counter(a_.told + k));
      s_.points[k] = a_.points[s_.indices[k]];
    }
    machine_.block_sync();
    make_chains();
    const point first = s_.points[half_], last = s_.points[0];
    const auto frame = frame_of<coordinate>(first, s_.indices[half_], last.x, Columns);
    if (machine_.thread() == 0)
      *a_.frame = frame;
    if (!(frame.first_x < frame.last_x))
      return;
    for (uint32_t first = 0; first < Columns; first += Threads) {
      const uint32_t k = first + machine_.thread();
      const uint32_t crowded = machine_.ballot(k < Columns && make_column(frame, k));
      if (k < Columns && machine_.lane() == 0)
        s_.crowded[k / 32] = crowded;
    }
    machine_.block_sync();
    const bool most = are_most_crowded(frame);
    for (uint32_t k = machine_.thread(); 32 * k < Columns; k += Threads)
      a_.chains->crowded[k] = most ? s_.crowded[k] : 0;
    for (uint32_t side = 0; side < 2; ++side) {
      for (uint32_t i = machine_.thread(); i < s_.counts[side]; i += Threads)
        a_.chains->points[side][i] = s_.chains[side][i];
      if (machine_.thread() == 0)
        a_.chains->counts[side] = s_.counts[side];
    }
  }
  /// Whether most points are in crowded columns: else what these leave is not worth the questions.
  COLONNADE_KERNEL_CODE bool are_most_crowded(const sieve_frame<coordinate> &frame) {
    const uint32_t column =
        frame.column(frame.offset(common_point(a_.num_points.now()).x), Columns);
    const uint32_t votes = machine_.ballot(s_.crowded[column / 32] >> column % 32 & 1);
    if (machine_.lane() == 0)
      s_.middle[machine_.warp()] = Machine::count_ones(votes);
    machine_.block_sync();
    uint32_t all = 0;
    for (uint32_t w = 0; w < warps; ++w)
      all += s_.middle[w];
    return 2 * all > Threads;
  }
  /// Whether it is crowded.
  COLONNADE_KERNEL_CODE bool make_column(const sieve_frame<coordinate> &frame, uint32_t k) const {
    sieve_column<number> column;
    uint32_t bends[2];
    const bool lower = make_chord(
        frame, k, Columns, 1, s_.counts[0], [&](uint32_t i) { return s_.chains[0][i]; },
        column.lower_slope, column.lower_at, bends[0]);
    const bool upper = make_chord(
        frame, k, Columns, -1, s_.counts[1], [&](uint32_t i) { return s_.chains[1][i]; },
        column.upper_slope, column.upper_at, bends[1]);
    if (!lower || !upper) // nothing lies below 0 and above 0
      column = {0, 0, 0, 0};
    a_.columns[k] = column;
    return bends[0] >= chains_type::least_bends || bends[1] >= chains_type::least_bends;
  }
  /// Point i of those between the ends of a chain, as its directions come.
  COLONNADE_KERNEL_CODE const point &between(uint32_t side, uint32_t i) const {
    return s_.points[side ? half_ - 1 - i : half_ + 1 + i];
  }
  /// From the point that lies farthest to the left to the one farthest to the right those that lie
  /// to the right of all before, as all would without rounding.
  COLONNADE_KERNEL_CODE void make_chains() {
    const point first = s_.points[half_], last = s_.points[0];
    for (uint32_t t = machine_.thread(); t < 2 * half_; t += Threads) {
      const uint32_t side = t / half_, i = t % half_;
      bool is_kept = i + 1 < half_;
      if (is_kept) {
        const coordinate x = between(side, i).x;
        is_kept = is_less(first.x, x) && is_less(x, last.x);
        for (uint32_t before = 0; before < i; ++before)
          is_kept &= is_less(between(side, before).x, x);
      }
      s_.kept[side][i] = is_kept;
    }
    machine_.block_sync();
    for (uint32_t t = machine_.thread(); t < 2 * half_; t += Threads) {
      const uint32_t side = t / half_, i = t % half_;
      uint32_t place = 1;
      for (uint32_t before = 0; before < i; ++before)
        place += s_.kept[side][before];
      if (s_.kept[side][i])
        s_.chains[side][place] = between(side, i);
      if (i == 0)
        s_.chains[side][0] = first;
      if (i + 1 == half_) {
        s_.chains[side][place] = last;
        s_.counts[side] = place + 1;
      }
    }
    machine_.block_sync();
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  scale scale_{};
  uint64_t step_ = 0;
  uint32_t size_ = 0, slopes_ = Slopes, half_ = 0;
};

} // namespace colonnade::detail

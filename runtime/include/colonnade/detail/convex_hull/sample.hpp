//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sample.hpp: a polygon from a sample of the points, and the sieve that it gives.
//
//   every block takes some points, spread over the whole input, leaves out those that are inside a
//   polygon of extreme ones, and finds the hoods of the others, or, if these are many, of a part of
//   them, again spread over all; of each hood it tells some vertices
//   the last block to end finds the hoods of all that were told, and from them the sieve's columns
//
// In: the points. Out: the sieve. Invariant: any choice of points gives a sieve that is right; a
// better one takes more. Where there are too few points for a sample to pay, it takes nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/block_hoods.hpp>
#include <colonnade/detail/convex_hull/block_sift.hpp>
#include <colonnade/detail/convex_hull/sieve.hpp>
#include <colonnade/hull_points.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

template <class Points> struct hull_sample_arguments {
  using coordinate = typename Points::coordinate;
  Points points;
  item_count num_points;
  uint64_t least_points; // below: no sample is taken
  uint32_t *told;        // indices of vertices, room for those of all blocks
  uint64_t *num_told;    // 0 at first
  uint32_t *done;        // blocks that have told theirs, 0 at first
  sieve_frame<coordinate> *frame;
  sieve_column<sieve_number<coordinate>> *columns;
};

/// Blocks: how many take points, find the hoods of at most Most, and tell Vertices of each hood.
template <class Points, uint32_t Threads, uint32_t Items, uint32_t Blocks, uint32_t Most,
          uint32_t Vertices, uint32_t Columns, class Machine>
class hull_sample_block {
public:
  using arguments = hull_sample_arguments<Points>;
  using coordinate = typename Points::coordinate;
  using hoods = block_hoods<coordinate, Threads, Items, Machine>;
  static constexpr uint32_t threads = Threads, num_blocks = Blocks, num_columns = Columns,
                            most_told = 2 * Vertices * Blocks, directions = 16;
  using sift = block_sift<coordinate, Threads, Items, directions, Machine>;
  static_assert(Most <= hoods::most_points && most_told <= hoods::most_points);
  struct storage {
    union { // the one before the other
      typename hoods::storage hoods_storage;
      typename sift::storage sift_storage;
    };
    typename sift::numbers kept;
    uint32_t place, is_last;
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
    hoods h(machine_, s_.hoods_storage);
    sift some(machine_, s_.sift_storage, s_.kept);
    const uint64_t share = n / Blocks;
    const uint32_t mine =
        share < hoods::most_points ? static_cast<uint32_t>(share) : hoods::most_points;
    const uint64_t step = n / (uint64_t{Blocks} * mine);
    find_sifted_hoods(some, h, a_.points, mine, Most, [&](uint32_t i) {
      return static_cast<uint32_t>((uint64_t{i} * Blocks + machine_.block()) * step);
    });
    tell(h);
    if (!is_last_block())
      return;
    const uint32_t told = static_cast<uint32_t>(machine_.load_counter(a_.num_told));
    find_sifted_hoods(some, h, a_.points, told, told,
                      [&](uint32_t i) { return machine_.load_word(a_.told + i); });
    make_sieve(h);
  }

private:
  static COLONNADE_KERNEL_CODE uint32_t told_of(uint32_t count) {
    return count < Vertices ? count : Vertices;
  }
  COLONNADE_KERNEL_CODE void tell(const hoods &h) const {
    const uint32_t lower = told_of(h.count(0)), upper = told_of(h.count(1));
    if (machine_.thread() == 0)
      s_.place = static_cast<uint32_t>(machine_.take_global(a_.num_told, lower + upper));
    machine_.block_sync();
    for (uint32_t i = machine_.thread(); i < lower + upper; i += Threads) {
      const uint32_t half = i >= lower, k = half ? i - lower : i, told = half ? upper : lower;
      // The ends, and others evenly between.
      const uint32_t at = told > 1 ? k * (h.count(half) - 1) / (told - 1) : 0;
      machine_.store_word(a_.told + s_.place + i, h.index(half, at));
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
  COLONNADE_KERNEL_CODE void make_sieve(const hoods &h) const {
    const uint32_t counts[2] = {h.count(0), h.count(1)};
    const auto frame =
        frame_of<coordinate>(h.point(0, 0), h.index(0, 0), h.point(0, counts[0] - 1).x, Columns);
    if (machine_.thread() == 0)
      *a_.frame = frame;
    if (!(frame.first_x < frame.last_x))
      return;
    for (uint32_t k = machine_.thread(); k < Columns; k += Threads) {
      sieve_column<sieve_number<coordinate>> column;
      const bool lower = make_chord(
          frame, k, Columns, 1, counts[0], [&](uint32_t i) { return h.point(0, i); },
          column.lower_slope, column.lower_at);
      const bool upper = make_chord(
          frame, k, Columns, -1, counts[1], [&](uint32_t i) { return h.point(1, i); },
          column.upper_slope, column.upper_at);
      if (!lower || !upper) // nothing lies below 0 and above 0
        column = {0, 0, 0, 0};
      a_.columns[k] = column;
    }
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

} // namespace colonnade::detail

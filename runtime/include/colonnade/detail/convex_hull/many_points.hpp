//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// many_points.hpp: the hull of points by x that no block holds.
//
//   tiles     every block finds the hoods of a tile of neighbours       tile_hoods_block
//   joining   the tiles' hoods are joined, in a few launches            pieces.hpp
//   offsets   how many vertices are in the pieces before each           hood_offsets_block
//   writing   every piece goes to its place in the hull                 write_hull_block
//
// In: indices of points, by x; their number in device memory, 0 if there is nothing to do. Out: the
// hull, and the number of its vertices. Invariant: hoods never move but to the output.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/filter.hpp>
#include <colonnade/detail/convex_hull/hull_order.hpp>
#include <colonnade/detail/convex_hull/pieces.hpp>

namespace colonnade::detail {

template <class Points> struct tile_hoods_arguments {
  Points points;
  const uint32_t *indices; // by x; null: the points themselves should be by x, and are checked
  hood_lists lists;
  hull_state *state;
};

template <class Points, uint32_t Threads, uint32_t Items, class Machine> class tile_hoods_block {
public:
  using arguments = tile_hoods_arguments<Points>;
  using hoods = block_hoods<typename Points::coordinate, Threads, Items, Machine>;
  using storage = typename hoods::storage;
  static constexpr uint32_t threads = Threads, tile_points = hoods::most_points;

  COLONNADE_KERNEL_CODE tile_hoods_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t n = a_.state->sorted;
    for (uint64_t begin = uint64_t{machine_.block()} * tile_points; begin < n;
         begin += uint64_t{machine_.num_blocks()} * tile_points) {
      const uint32_t count =
          n - begin < tile_points ? static_cast<uint32_t>(n - begin) : tile_points;
      if (a_.indices == nullptr)
        check(begin, count);
      hoods h(machine_, s_);
      h.run(
          a_.points, count,
          [&](uint32_t i) {
            return a_.indices ? a_.indices[begin + i] : static_cast<uint32_t>(begin + i);
          },
          true);
      for (uint32_t half = 0; half < 2; ++half)
        write(h, half, begin);
      machine_.block_sync(); // the storage is free
    }
  }

private:
  /// Of points that come by x.
  COLONNADE_KERNEL_CODE void check(uint64_t begin, uint32_t count) const {
    for (uint64_t i = begin + machine_.thread(); i < begin + count; i += Threads) {
      const auto point = a_.points[i];
      if (!is_finite(point))
        machine_.min_global(&a_.state->refused, refusal(data_error::value_out_of_range, i));
      else if (i > 0 && is_less(point.x, a_.points[i - 1].x))
        machine_.min_global(&a_.state->refused, refusal(data_error::index_out_of_range, i));
    }
  }
  COLONNADE_KERNEL_CODE void write(const hoods &h, uint32_t half, uint64_t begin) const {
    const uint32_t count = h.count(half), first = static_cast<uint32_t>(begin);
    for (uint32_t i = machine_.thread(); i < count; i += Threads)
      a_.lists.vertices[half][begin + i] = h.index(half, i);
    if (machine_.thread() == 0) {
      a_.lists.pieces[half][begin / tile_points] = {first, first + count};
      a_.lists.lengths[half][begin / tile_points] = 1;
    }
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

template <class Vertices> struct hood_offsets_arguments {
  hood_lists lists;
  uint32_t *offsets[2]; // of each piece: the vertices before it
  hull_state *state;
  hull_part part;
  bool alone; // nobody else says that there are no points
  hull_output<Vertices> out;
};

/// The order of the hull whose lists are joined.
COLONNADE_KERNEL_CODE hull_order joined_order(const hood_lists &lists, const hull_state &state,
                                              hull_part part) {
  const uint32_t *lower = lists.vertices[0], *upper = lists.vertices[1];
  const hood_piece *pieces[2] = {lists.pieces[0], lists.pieces[1]};
  const uint32_t last[2] = {pieces[0][lists.lengths[0][0] - 1].end - 1,
                            pieces[1][lists.lengths[1][0] - 1].end - 1};
  return {state.hood_size[0], state.hood_size[1],
          lower[pieces[0][0].begin] == upper[pieces[1][0].begin], lower[last[0]] == upper[last[1]],
          part};
}

/// One block.
template <class Vertices, uint32_t Threads, class Machine> class hood_offsets_block {
public:
  using arguments = hood_offsets_arguments<Vertices>;
  static constexpr uint32_t threads = Threads;
  struct storage {
    uint32_t scratch[Threads / 32];
    uint32_t last;
  };

  COLONNADE_KERNEL_CODE hood_offsets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint64_t n = a_.state->sorted, refused = a_.state->refused;
    machine_.block_sync(); // all have read what one changes
    if (n == 0 || refused != ~uint64_t{0}) {
      if (machine_.thread() == 0 && a_.alone)
        no_hull(n);
      return;
    }
    for (uint32_t half = 0; half < 2; ++half)
      count(half);
    machine_.block_sync(); // the sizes are there
    if (machine_.thread() == 0)
      a_.out.put_count(machine_, joined_order(a_.lists, *a_.state, a_.part).num_vertices());
  }

private:
  COLONNADE_KERNEL_CODE void no_hull(uint64_t n) const {
    if (n == 0)
      return a_.out.put_count(machine_, 0);
    a_.out.refuse(machine_, a_.state->refused);
    a_.state->sorted = 0; // nothing is to be written
  }
  COLONNADE_KERNEL_CODE void count(uint32_t half) {
    const uint32_t length = a_.lists.lengths[half][0];
    uint32_t before = 0;
    for (uint32_t begin = 0; begin < length; begin += Threads) {
      const uint32_t mine = begin + machine_.thread();
      uint32_t size = 0;
      if (mine < length) {
        const hood_piece piece = a_.lists.pieces[half][mine];
        size = piece.end - piece.begin;
      }
      const uint32_t offset = before + block_exclusive_sum(machine_, size, s_.scratch);
      if (mine < length)
        a_.offsets[half][mine] = offset;
      if (machine_.thread() == Threads - 1)
        s_.last = offset + size;
      machine_.block_sync();
      before = s_.last;
      machine_.block_sync(); // scratch and last are free
    }
    if (machine_.thread() == 0)
      a_.state->hood_size[half] = before;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

template <class Points, class Vertices> struct write_hull_arguments {
  Points points;
  hood_lists lists;
  const uint32_t *offsets[2];
  const hull_state *state;
  hull_part part;
  hull_output<Vertices> out;
};

template <class Points, class Vertices, uint32_t Threads, class Machine> class write_hull_block {
public:
  using arguments = write_hull_arguments<Points, Vertices>;
  static constexpr uint32_t threads = Threads;

  COLONNADE_KERNEL_CODE write_hull_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() {
    if (a_.state->sorted == 0)
      return;
    const hull_order order = joined_order(a_.lists, *a_.state, a_.part);
    for (uint32_t half = 0; half < 2; ++half) {
      if (!order.has(half))
        continue;
      const uint32_t length = a_.lists.lengths[half][0], *offsets = a_.offsets[half];
      for (uint32_t k = machine_.block(); k < length; k += machine_.num_blocks()) {
        const hood_piece piece = a_.lists.pieces[half][k];
        for (uint32_t i = piece.begin + machine_.thread(); i < piece.end; i += Threads)
          a_.out.put(a_.points, order.place(half, uint64_t{offsets[k]} + (i - piece.begin)),
                     a_.lists.vertices[half][i]);
      }
    }
  }

private:
  const Machine &machine_;
  const arguments &a_;
};

} // namespace colonnade::detail

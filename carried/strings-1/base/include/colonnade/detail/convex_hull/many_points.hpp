//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// many_points.hpp: hulls of points by x that no block holds: of one set of points, or of many.
//
//   tiles     every block finds the hoods of a tile of neighbours       tile_hoods_block
//   joining   the tiles' hoods are joined                               join_hoods_block
//   offsets   how many vertices are in the pieces before each           hood_offsets_block
//   writing   every piece goes to its place in the hull                 write_hull_block
//
// In: indices of points, by x within each set; the sets in device memory, none if there is nothing
// to do. Out: the hulls, and the numbers of their vertices. Invariant: hoods never move but to the
// output.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/filter.hpp>
#include <colonnade/detail/convex_hull/hull_order.hpp>
#include <colonnade/detail/convex_hull/join_hoods.hpp>
#include <colonnade/detail/device/block_offsets.hpp>

namespace colonnade::detail {

template <class Points, class Sets> struct tile_hoods_arguments {
  Points points;
  const uint32_t *indices; // by x; null: the points themselves should be by x, and are checked
  hood_lists<typename Points::coordinate> lists;
  Sets sets;
};

/// Of the points of a tile, by their places.
struct tile_indices {
  const uint32_t *indices; // null: points come by x
  uint64_t begin;
  COLONNADE_KERNEL_CODE uint32_t operator()(uint32_t place) const {
    return indices ? indices[begin + place] : static_cast<uint32_t>(begin + place);
  }
};

/// Turns: of rounds; 0: chains of runs of all points, which are joined. LeastRun: as block_hoods.
/// ByX: indices are null.
template <class Points, class Sets, uint32_t Threads, uint32_t Items, uint32_t Turns,
          uint32_t LeastRun, bool ByX, class Machine>
class tile_hoods_block {
public:
  using arguments = tile_hoods_arguments<Points, Sets>;
  using hoods = block_hoods<typename Points::coordinate, Threads, Items, (Turns > 0), Machine,
                            tile_indices, Turns, LeastRun>;
  using storage = typename hoods::storage;
  static constexpr uint32_t threads = Threads, tile_points = hoods::most_points;
  /// Blocks of which a multiprocessor has room for the points and for the registers of all threads:
  /// points from anywhere are slower with 64, as more of them are spilled.
  static constexpr uint32_t shared_blocks = 228 * 1024 / (sizeof(storage) + 1024),
                            register_blocks = 65536 / (ByX ? 64 : 80) / Threads,
                            resident = sizeof(typename Points::coordinate) == 8 ? 0
                                       : shared_blocks < register_blocks        ? shared_blocks
                                                                                : register_blocks;

  COLONNADE_KERNEL_CODE tile_hoods_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t tiles = a_.sets.num_tiles();
    for (uint32_t tile = machine_.block(); tile < tiles; tile += machine_.num_blocks()) {
      const set_tile at = a_.sets.tile(tile);
      const tile_set set = a_.sets.set(at.set);
      const uint64_t before = uint64_t{at.place} * tile_points, left = set.num_points - before,
                     begin = set.first_point + before;
      const uint32_t count = left < tile_points ? static_cast<uint32_t>(left) : tile_points;
      hoods h(machine_, s_, {ByX ? nullptr : a_.indices, begin});
      h.run(a_.points, count);
      if (ByX || a_.indices == nullptr)
        check(h, set, begin, count);
      const auto lists = a_.lists.of(set);
      for (uint32_t half = 0; half < 2; ++half)
        write(h, lists, half, tile);
      machine_.block_sync(); // the storage is free
    }
  }

private:
  /// Of points that come by x.
  COLONNADE_KERNEL_CODE void check(const hoods &h, const tile_set &set, uint64_t begin,
                                   uint32_t count) const {
    const auto before = [&](uint32_t i) {
      return i > 0                     ? h.tile_point(i - 1)
             : begin > set.first_point ? a_.points[begin - 1]
                                       : h.tile_point(0);
    };
    bool is_bad = false;
    for (uint32_t i = machine_.thread(); i < count; i += Threads)
      is_bad |= !comes_after(before(i).x, h.tile_point(i));
    if (!is_bad)
      return;
    for (uint32_t i = machine_.thread(); i < count; i += Threads)
      if (const uint64_t bad = refusal_of_point(h.tile_point(i), before(i), begin + i);
          bad != ~uint64_t{0})
        machine_.min_global(&set.findings->refused, bad);
  }
  /// The upper hood stands behind the lower one.
  COLONNADE_KERNEL_CODE void write(const hoods &h,
                                   const hood_lists<typename Points::coordinate> &lists,
                                   uint32_t half, uint32_t tile) const {
    const uint32_t count = h.count(half), before = half ? h.count(0) : 0;
    const uint64_t room = lists.room(tile) + before;
    constexpr uint32_t items = 4; // whose loads are under way at once
    for (uint32_t first = 0; first < count; first += items * Threads) {
      uint32_t indices[items];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        if (const uint32_t i = first + k * Threads + machine_.thread(); i < count)
          indices[k] = h.index(half, i);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        if (const uint32_t i = first + k * Threads + machine_.thread(); i < count) {
          const auto point = h.point(half, i);
          lists.x[room + i] = point.x;
          lists.y[room + i] = point.y;
          lists.indices[room + i] = indices[k];
        }
    }
    if (machine_.thread() == 0) {
      lists.pieces[half][tile] = {tile, static_cast<uint16_t>(before),
                                  static_cast<uint16_t>(before + count)};
      lists.lengths[half][tile] = 1;
      lists.tickets[half][tile] = 0;
    }
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

template <class T, class Sets, class Output> struct hood_offsets_arguments {
  hood_lists<T> lists;
  uint32_t *offsets[2]; // of each piece: the vertices before it
  Sets sets;
  hull_part part;
  bool alone; // nobody else says that there are no points
  Output out;
};

/// The order of a hull whose lists are joined, but for its hoods' sizes.
template <class T>
COLONNADE_KERNEL_CODE hull_order joined_order(const hood_lists<T> &all, const tile_set &set,
                                              hull_part part) {
  const hood_lists<T> lists = all.of(set);
  const hood_piece *pieces[2] = {lists.pieces[0] + set.first_tile,
                                 lists.pieces[1] + set.first_tile};
  const uint64_t first[2] = {lists.first(pieces[0][0]), lists.first(pieces[1][0])},
                 last[2] = {lists.last(pieces[0][lists.lengths[0][set.first_tile] - 1]),
                            lists.last(pieces[1][lists.lengths[1][set.first_tile] - 1])};
  return {0, 0, lists.indices[first[0]] == lists.indices[first[1]],
          lists.indices[last[0]] == lists.indices[last[1]], part};
}

/// A block for each set.
template <class T, class Sets, class Output, uint32_t Threads, class Machine>
class hood_offsets_block {
public:
  using arguments = hood_offsets_arguments<T, Sets, Output>;
  static constexpr uint32_t threads = Threads, items = 4;
  using storage = block_offsets_storage<uint64_t, Threads>;

  COLONNADE_KERNEL_CODE hood_offsets_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t sets = a_.sets.num_sets();
    if (sets == 0 && a_.alone && machine_.block() == 0 && machine_.thread() == 0)
      a_.out.of(0, 0).put_count(machine_, 0);
    for (uint32_t k = machine_.block(); k < sets; k += machine_.num_blocks())
      run_set(a_.sets.set(k));
  }

private:
  COLONNADE_KERNEL_CODE void run_set(const tile_set &set) {
    const auto out = a_.out.of(set.number, set.num_points);
    if (set.findings->refused != ~uint64_t{0}) {
      if (machine_.thread() == 0)
        out.refuse(machine_, set.findings->refused);
      return;
    }
    hull_order order = joined_order(a_.lists, set, a_.part); // loaded while offsets are found
    const uint64_t sizes = count(set);
    order.lower = lower_of(sizes);
    order.upper = upper_of(sizes);
    if (machine_.thread() == 0) {
      set.findings->hood_size[0] = order.lower;
      set.findings->hood_size[1] = order.upper;
      out.put_count(machine_, order.num_vertices());
    }
  }
  /// Numbers of vertices of both hoods are added as one: neither reaches 2^32.
  static COLONNADE_KERNEL_CODE uint32_t lower_of(uint64_t both) {
    return static_cast<uint32_t>(both);
  }
  static COLONNADE_KERNEL_CODE uint32_t upper_of(uint64_t both) {
    return static_cast<uint32_t>(both >> 32);
  }
  /// A thread takes neighbours, whose loads are all under way at once. Returns both hoods' sizes.
  COLONNADE_KERNEL_CODE uint64_t count(const tile_set &set) {
    const uint32_t lengths[2] = {a_.lists.lengths[0][set.first_tile],
                                 a_.lists.lengths[1][set.first_tile]},
                   longer = lengths[0] < lengths[1] ? lengths[1] : lengths[0];
    uint64_t all = 0;
    for (uint32_t first = 0; first < longer; first += items * Threads) {
      const uint32_t mine = first + items * machine_.thread();
      uint64_t sizes[items], sum = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k) {
        sizes[k] = size_of(set, lengths, 0, mine + k) + (size_of(set, lengths, 1, mine + k) << 32);
        sum += sizes[k];
      }
      uint64_t before = all + block_exclusive_sum(machine_, sum, s_.scratch);
      if (machine_.thread() == Threads - 1)
        s_.last = before + sum;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k) {
        if (mine + k < lengths[0])
          a_.offsets[0][set.first_tile + mine + k] = lower_of(before);
        if (mine + k < lengths[1])
          a_.offsets[1][set.first_tile + mine + k] = upper_of(before);
        before += sizes[k];
      }
      machine_.block_sync();
      all = s_.last;
      machine_.block_sync(); // the storage is free
    }
    return all;
  }
  /// Of a piece; 0 behind the list's end.
  COLONNADE_KERNEL_CODE uint64_t size_of(const tile_set &set, const uint32_t (&lengths)[2],
                                         uint32_t half, uint32_t k) const {
    const bool is_in = k < lengths[half];
    const hood_piece piece = a_.lists.pieces[half][set.first_tile + (is_in ? k : 0)];
    return is_in ? static_cast<uint64_t>(piece.end - piece.begin) : 0;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
};

template <class Points, class Sets, class Output> struct write_hull_arguments {
  Points points;
  hood_lists<typename Points::coordinate> lists;
  const uint32_t *offsets[2];
  Sets sets;
  hull_part part;
  Output out;
};

/// Piece k of a set's lists is where its tile k was. Where there are more tiles than blocks, and
/// pieces are short, a few threads of a block write those of one tile.
template <class Points, class Sets, class Output, uint32_t Threads, class Machine>
class write_hull_block {
public:
  using arguments = write_hull_arguments<Points, Sets, Output>;
  static constexpr uint32_t threads = Threads, few_threads = Threads < 64 ? Threads : 64,
                            short_pieces = 4 * few_threads; // of a tile, vertices

  COLONNADE_KERNEL_CODE write_hull_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() const {
    const uint32_t tiles = a_.sets.num_tiles();
    if (tiles > machine_.num_blocks() && are_short())
      write_tiles<few_threads>(tiles);
    else
      write_tiles<Threads>(tiles);
  }

private:
  /// Those of the first set, on average.
  COLONNADE_KERNEL_CODE bool are_short() const {
    const tile_set set = a_.sets.set(0);
    const hull_findings &found = *set.findings;
    return found.refused == ~uint64_t{0} &&
           found.hood_size[0] + found.hood_size[1] <=
               short_pieces * runs_of(set.num_points, a_.sets.tile_points);
  }
  /// Group: threads that write a tile's pieces.
  template <uint32_t Group> COLONNADE_KERNEL_CODE void write_tiles(uint32_t tiles) const {
    constexpr uint32_t groups = Threads / Group;
    for (uint32_t tile = machine_.block() * groups + machine_.thread() / Group; tile < tiles;
         tile += machine_.num_blocks() * groups) {
      const set_tile at = a_.sets.tile(tile);
      const tile_set set = a_.sets.set(at.set);
      if (set.findings->refused != ~uint64_t{0})
        continue;
      hull_order order = joined_order(a_.lists, set, a_.part);
      order.lower = set.findings->hood_size[0];
      order.upper = set.findings->hood_size[1];
      const auto out = a_.out.of(set.number, set.num_points);
      for (uint32_t half = 0; half < 2; ++half)
        if (order.has(half) && at.place < a_.lists.lengths[half][set.first_tile])
          write<Group>(order, a_.lists.of(set), out, half, tile);
    }
  }
  template <uint32_t Group, class Out>
  COLONNADE_KERNEL_CODE void write(const hull_order &order,
                                   const hood_lists<typename Points::coordinate> &lists,
                                   const Out &out, uint32_t half, uint32_t tile) const {
    const hood_piece piece = lists.pieces[half][tile];
    const uint64_t first = lists.first(piece), offset = a_.offsets[half][tile];
    const uint32_t count = piece.end - piece.begin;
    constexpr uint32_t items = 4; // whose loads are under way at once
    for (uint32_t begin = 0; begin < count; begin += items * Group) {
      uint32_t indices[items];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        if (const uint32_t i = begin + k * Group + machine_.thread() % Group; i < count)
          indices[k] = lists.indices[first + i];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < items; ++k)
        if (const uint32_t i = begin + k * Group + machine_.thread() % Group; i < count)
          out.put(a_.points, order.place(half, offset + i), indices[k]);
    }
  }

  const Machine &machine_;
  const arguments &a_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pieces.hpp: hoods in global memory that are joined without being moved.
//
//   every tile's hood is one piece: an interval of an array of indices of points
//   a hood of several tiles is the list of the intervals that are left of theirs
//   joining two hoods cuts the end of one list and the begin of the other
//
// In: lists of runs of one level (tile_sets.hpp); each begins at the entry of its first tile. Out:
// lists of runs of the next level, each joined by one block, pair by pair. Invariant: no list has
// an empty interval, and none is empty.
//
// Complexity: of L lists with k pieces in all, and hoods of at most h vertices: O(log^2 h) loads
// one after the other, log2(fan) times; O(k) pieces moved.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/hood.hpp>
#include <colonnade/detail/convex_hull/tile_sets.hpp>

namespace colonnade::detail {

/// Entries of the array of indices; both ends of a warp's load.
struct alignas(8) hood_piece {
  uint32_t begin, end;
};

/// What the blocks of a hull keep in temporary storage, of both halves: lower and upper.
struct hood_lists {
  uint32_t *vertices[2]; // indices of points: a tile's at its first point's place
  hood_piece *pieces[2]; // one or fewer a tile
  uint32_t *lengths[2];  // of lists, at their first tile's place
};

template <class Points> struct pieced_hood {
  using coordinate = typename Points::coordinate;
  struct position {
    uint32_t piece, at;
  };
  const Points &points;
  const uint32_t *vertices;
  const hood_piece *pieces;
  uint32_t first_piece, end_piece;
  uint32_t begin, end; // of the first piece, and of the last one

  COLONNADE_KERNEL_CODE pieced_hood(const Points &input, const uint32_t *indices,
                                    const hood_piece *list, uint32_t length)
      : points(input), vertices(indices), pieces(list), first_piece(0), end_piece(length),
        begin(list[0].begin), end(list[length - 1].end) {}

  COLONNADE_KERNEL_CODE uint32_t begin_of(uint32_t piece) const {
    return piece == first_piece ? begin : pieces[piece].begin;
  }
  COLONNADE_KERNEL_CODE uint32_t end_of(uint32_t piece) const {
    return piece + 1 == end_piece ? end : pieces[piece].end;
  }
  COLONNADE_KERNEL_CODE hull_vertex<coordinate> at(const position &p) const {
    const uint32_t index = vertices[p.at];
    return {points[index], index};
  }
  COLONNADE_KERNEL_CODE bool empty() const { return first_piece == end_piece; }
  COLONNADE_KERNEL_CODE position first() const { return {first_piece, begin}; }
  COLONNADE_KERNEL_CODE position last() const { return {end_piece - 1, end - 1}; }
  COLONNADE_KERNEL_CODE void drop_first() {
    if (begin + 1 < end_of(first_piece))
      ++begin;
    else if (++first_piece < end_piece)
      begin = pieces[first_piece].begin;
  }
  COLONNADE_KERNEL_CODE void drop_last() {
    if (begin_of(end_piece - 1) + 1 < end)
      --end;
    else if (--end_piece > first_piece)
      end = pieces[end_piece - 1].end;
  }
  COLONNADE_KERNEL_CODE bool has_next(const position &p) const {
    return p.piece + 1 < end_piece || p.at + 1 < end;
  }
  COLONNADE_KERNEL_CODE position next(const position &p) const {
    if (p.at + 1 < end_of(p.piece))
      return {p.piece, p.at + 1};
    return {p.piece + 1, pieces[p.piece + 1].begin};
  }
  /// First by the last vertex of each piece, then in the piece. It is found somewhere.
  template <class Search, class Found>
  COLONNADE_KERNEL_CODE position find(const Search &search, Found found) const {
    const uint32_t piece = search.first(
        first_piece, end_piece - 1, [&](uint32_t k) { return found(position{k, end_of(k) - 1}); });
    const uint32_t at = search.first(begin_of(piece), end_of(piece) - 1,
                                     [&](uint32_t i) { return found(position{piece, i}); });
    return {piece, at};
  }
};

template <class Points, class Sets> struct join_hoods_arguments {
  Points points;
  hood_lists lists;
  Sets sets;
  uint32_t level; // of the runs that are joined
};

template <class Points, class Sets, uint32_t Threads, uint32_t Fan, class Machine>
class join_hoods_block {
public:
  using arguments = join_hoods_arguments<Points, Sets>;
  static constexpr uint32_t threads = Threads, fan = Fan;

  COLONNADE_KERNEL_CODE join_hoods_block(const Machine &machine, const arguments &a)
      : machine_(machine), a_(a) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t joined = a_.sets.num_runs(a_.level + 1);
    for (uint32_t number = machine_.block(); number < joined; number += machine_.num_blocks())
      join_run(a_.sets.run(a_.level + 1, number));
  }

private:
  /// The runs of a run.
  COLONNADE_KERNEL_CODE void join_run(const tile_run &run) const {
    const tile_set set = a_.sets.set(run.set);
    const uint32_t stride = static_cast<uint32_t>(tiles_of_run(Fan, a_.level));
    const uint64_t tiles = runs_of(set.num_points, a_.sets.tile_points);
    const uint64_t before = uint64_t{run.place} * Fan * stride;
    const uint64_t left = runs_of(tiles - before, stride);
    const uint32_t first = set.first_tile + static_cast<uint32_t>(before);
    const uint32_t runs = left < Fan ? static_cast<uint32_t>(left) : Fan;
    for (uint32_t width = 1; width < runs; width *= 2) {
      const uint32_t tasks = 2 * ((runs + width - 1) / (2 * width));
      for (uint32_t task = machine_.warp(); task < tasks; task += Threads / 32)
        join(task % 2, first + task / 2 * 2 * width * stride, width * stride);
      machine_.block_sync();
    }
  }
  COLONNADE_KERNEL_CODE void join(uint32_t half, uint32_t tile, uint32_t distance) const {
    hood_piece *list = a_.lists.pieces[half] + tile, *other = list + distance;
    uint32_t *lengths = a_.lists.lengths[half];
    const uint32_t *vertices = a_.lists.vertices[half];
    pieced_hood<Points> left(a_.points, vertices, list, lengths[tile]);
    pieced_hood<Points> right(a_.points, vertices, other, lengths[tile + distance]);
    part_hoods(side_of(half), left, right);
    if (!left.empty() && !right.empty()) {
      const auto bridge =
          find_bridge(search_among_groups<Machine>{machine_, 3},
                      search_by_group<Machine>{machine_, 3}, side_of(half), left, right);
      left.end_piece = bridge.left.piece + 1;
      left.end = bridge.left.at + 1;
      right.first_piece = bridge.right.piece;
      right.begin = bridge.right.at;
    }
    machine_.warp_sync(); // all have read what changes
    if (machine_.lane() == 0) {
      if (!left.empty())
        list[left.end_piece - 1].end = left.end;
      if (!right.empty())
        other[right.first_piece].begin = right.begin;
    }
    machine_.warp_sync();
    const uint32_t moved = right.end_piece - right.first_piece;
    move(other + right.first_piece, list + left.end_piece, moved);
    if (machine_.lane() == 0)
      lengths[tile] = left.end_piece + moved;
  }
  /// To the left.
  COLONNADE_KERNEL_CODE void move(const hood_piece *from, hood_piece *to, uint32_t count) const {
    if (from == to)
      return;
    for (uint32_t i = machine_.lane(); i - machine_.lane() < count; i += 32) {
      const hood_piece piece = i < count ? from[i] : hood_piece{0, 0};
      machine_.warp_sync(); // all have read what others overwrite
      if (i < count)
        to[i] = piece;
    }
  }

  const Machine &machine_;
  const arguments &a_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// join_hoods.hpp: joins the hoods of all tiles of each set, in one launch.
//
//   a block joins one half (lower or upper) of two neighbouring tiles' hoods, or, if there are very
//   many, its warps those of 16 neighbours; and goes on with what two neighbours of that width
//   became: the block that is the second to come there joins them, and the first one ends
//
// In: the lists of all tiles (pieces.hpp), each of one piece; the sets' tiles (tile_sets.hpp). Out:
// the list of each set. Invariant: two hoods meet at the right one's first tile, where no others
// do, so there is a ticket for each pair; it is 0 before, and what the first block wrote is seen by
// the second one.
//
// Complexity: of k tiles with hoods of at most h vertices: log2(k) joinings one after the other,
// each of O(log^2 h) loads one after the other by one thread, and fewer by a block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/convex_hull/pieces.hpp>

#include <bit>

namespace colonnade::detail {

/// What the warps of a block found, in turns.
template <uint32_t Warps> struct block_votes {
  uint32_t votes[2][Warps];
};

/// Of one range, by all groups of so many lanes of a block, as search_among_groups does by a warp.
/// Called by all threads.
template <uint32_t Warps, class Machine> struct search_by_block {
  const Machine &machine;
  block_votes<Warps> &shared;
  uint32_t &turn;
  uint32_t log2_lanes; // of a group
  static_assert(std::has_single_bit(Warps) && Warps <= 32);
  static constexpr uint32_t log2_threads = 5 + std::countr_zero(Warps);

  template <class Found>
  COLONNADE_KERNEL_CODE uint32_t first(uint32_t begin, uint32_t end, Found found,
                                       bool near = false) const {
    const uint32_t log2_groups = log2_threads - log2_lanes, groups = 1u << log2_groups,
                   mine = machine.thread() >> log2_lanes;
    for (; begin < end; near = false) {
      const probed_places places(begin, end, log2_groups, near);
      const uint32_t place = places[mine], last = end - 1;
      const bool holds = found(place < last ? place : last); // of all lanes
      const uint32_t at = first_group(holds || place > last, groups);
      begin = places.begin_of(at);
      end = at < groups && places[at] < end ? places[at] : end;
    }
    return begin;
  }

private:
  COLONNADE_KERNEL_CODE uint32_t first_group(bool holds, uint32_t groups) const {
    const uint32_t vote = machine.ballot(holds);
    turn ^= 1;
    if (machine.lane() == 0)
      shared.votes[turn][machine.warp()] = vote;
    machine.block_sync();
    const uint32_t word = machine.lane() < Warps ? shared.votes[turn][machine.lane()] : 0;
    const uint32_t holding = machine.ballot(word != 0);
    if (holding == 0)
      return groups;
    const uint32_t warp = Machine::first_one(holding);
    return (32 * warp + Machine::first_one(machine.shuffle(word, warp))) >> log2_lanes;
  }
};

/// Who joins two hoods: a warp, or a block.
template <class Machine> struct joining_warp {
  static constexpr uint32_t threads = 32;
  const Machine &machine;

  COLONNADE_KERNEL_CODE uint32_t rank() const { return machine.lane(); }
  COLONNADE_KERNEL_CODE void sync() const { machine.warp_sync(); }
  template <class T>
  COLONNADE_KERNEL_CODE auto bridge(hood_side side, const pieced_hood<T> &left,
                                    const pieced_hood<T> &right) const {
    const search_by_group<Machine> by_group{machine, 3}, by_lanes{machine, 5};
    return find_bridge(search_among_groups<Machine>{machine, 3}, by_group, by_lanes, side, left,
                       right);
  }
};
template <uint32_t Warps, class Machine> struct joining_block {
  static constexpr uint32_t threads = 32 * Warps;
  const Machine &machine;
  block_votes<Warps> &votes;
  uint32_t &turn;

  COLONNADE_KERNEL_CODE uint32_t rank() const { return machine.thread(); }
  COLONNADE_KERNEL_CODE void sync() const { machine.block_sync(); }
  template <class T>
  COLONNADE_KERNEL_CODE auto bridge(hood_side side, const pieced_hood<T> &left,
                                    const pieced_hood<T> &right) const {
    const search_by_block<Warps, Machine> by_warps{machine, votes, turn, 5},
        by_threads{machine, votes, turn, 0};
    return find_bridge(by_warps, search_by_group<Machine>{machine, 5}, by_threads, side, left,
                       right);
  }
};

/// To the left.
template <class Team>
COLONNADE_KERNEL_CODE void move_pieces(const Team &team, const hood_piece *from, hood_piece *to,
                                       uint32_t count) {
  if (from == to)
    return;
  for (uint32_t first = 0; first < count; first += Team::threads) {
    const uint32_t i = first + team.rank();
    const hood_piece piece = i < count ? from[i] : hood_piece{};
    team.sync(); // all have read what others overwrite
    if (i < count)
      to[i] = piece;
  }
}
/// The list that begins at a tile with the one that begins so many tiles behind it.
template <class Team, class T>
COLONNADE_KERNEL_CODE void join_lists(const Team &team, const hood_lists<T> &lists, uint32_t half,
                                      uint32_t tile, uint32_t distance) {
  hood_piece *list = lists.pieces[half] + tile, *other = list + distance;
  uint32_t *lengths = lists.lengths[half];
  pieced_hood<T> left(lists, list, lengths[tile]), right(lists, other, lengths[tile + distance]);
  part_hoods(side_of(half), left, right);
  if (!left.empty() && !right.empty()) {
    const auto bridge = team.bridge(side_of(half), left, right);
    left.end_at(bridge.left);
    right.begin_at(bridge.right);
  }
  team.sync(); // all have read what changes
  if (team.rank() == 0) {
    if (!left.empty())
      list[left.end_piece - 1].end = static_cast<uint16_t>(left.end);
    if (!right.empty())
      other[right.first_piece].begin = static_cast<uint16_t>(right.begin);
  }
  team.sync();
  const uint32_t moved = right.end_piece - right.first_piece;
  move_pieces(team, other + right.first_piece, list + left.end_piece, moved);
  if (team.rank() == 0)
    lengths[tile] = left.end_piece + moved;
  team.sync(); // for the next joining
}

template <class T, class Sets> struct join_hoods_arguments {
  hood_lists<T> lists;
  Sets sets;
};

/// ManyTiles: more of one set are first joined by warps.
template <class T, class Sets, uint32_t Threads, uint32_t ManyTiles, class Machine>
class join_hoods_block {
public:
  using arguments = join_hoods_arguments<T, Sets>;
  static constexpr uint32_t threads = Threads, warps = Threads / 32;
  struct storage {
    block_votes<warps> votes;
    uint32_t is_second;
  };
  /// Blocks that have something to do.
  static uint64_t num_blocks(uint64_t tiles) { return 2 * runs_of(tiles, 2); }

  COLONNADE_KERNEL_CODE join_hoods_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), s_(*reinterpret_cast<storage *>(shared)) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t tiles = a_.sets.num_tiles();
    const uint32_t at_once = a_.sets.is_one && tiles > ManyTiles ? at_first : 2;
    for (uint32_t task = machine_.block(); task / 2 * at_once < tiles;
         task += machine_.num_blocks()) {
      const uint32_t first = task / 2 * at_once;
      if (at_once > 2) {
        join_by_warps(task % 2, first, tiles - first < at_once ? tiles - first : at_once);
        join_from(task % 2, a_.sets.set(0), first, at_once);
        continue;
      }
      for (uint32_t tile = first; tile < first + 2 && tile < tiles; ++tile) {
        const set_tile at = a_.sets.tile(tile);
        if (at.place % 2 == 0)
          join_from(task % 2, a_.sets.set(at.set), at.place, 1);
      }
    }
  }

private:
  /// Tiles of a block whose warps join them first.
  static constexpr uint32_t at_first = 16;

  COLONNADE_KERNEL_CODE void join_by_warps(uint32_t half, uint32_t first, uint32_t tiles) {
    const joining_warp<Machine> team{machine_};
    const hood_lists<T> lists = a_.lists.of(a_.sets.set(0));
    for (uint32_t width = 1; width < tiles; width *= 2) {
      for (uint32_t left = 2 * width * machine_.warp(); left + width < tiles;
           left += 2 * width * warps)
        join_lists(team, lists, half, first + left, width);
      machine_.block_sync();
    }
  }
  /// From the hood of `width` tiles of a set on, as long as its neighbours are found.
  COLONNADE_KERNEL_CODE void join_from(uint32_t half, const tile_set &set, uint32_t place,
                                       uint32_t width) {
    const joining_block<warps, Machine> team{machine_, s_.votes, turn_};
    const hood_lists<T> lists = a_.lists.of(set);
    const uint32_t tiles = static_cast<uint32_t>(runs_of(set.num_points, a_.sets.tile_points));
    for (; width < tiles; width *= 2) {
      const uint32_t left = place & ~(2 * width - 1), right = left + width;
      if (right >= tiles)
        continue; // it has no neighbour
      if (width > 1 && !is_second(lists.tickets[half] + set.first_tile + right))
        return;
      join_lists(team, lists, half, set.first_tile + left, width);
      place = left;
    }
  }
  COLONNADE_KERNEL_CODE bool is_second(uint32_t *ticket) {
    machine_.device_fence();
    machine_.block_sync();
    if (machine_.thread() == 0)
      s_.is_second = machine_.take_ticket(ticket) == 1;
    machine_.block_sync();
    machine_.device_fence();
    return s_.is_second;
  }

  const Machine &machine_;
  const arguments &a_;
  storage &s_;
  uint32_t turn_ = 0;
};

} // namespace colonnade::detail

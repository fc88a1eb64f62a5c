//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// join_pair.hpp: joins the lists of two neighbouring hoods, by a warp or by a block.
//
// In: two lists (pieces.hpp), one to the right of the other. Out: the list of the hood of both,
// where the left one begins. Invariant: a list of k tiles' hoods has at most k pieces, so there is
// room.
//
// Complexity: with hoods of at most h vertices O(log^2 h) loads one after the other by one thread,
// and fewer by a block.
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

} // namespace colonnade::detail

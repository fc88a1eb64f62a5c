//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter_ranks.hpp: the rank of every item among those of its bucket, in the order of
// the input; row by row, by ballots.
//
// In: the warp's counters: the places of its first items, or zero. Out: use(k, place) for
// every item k of this lane; the counters have moved on by the warp's counts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/warp_rank.hpp>
#include <colonnade/detail/scatter/scatter_tile.hpp>

#include <cstddef>

namespace colonnade::detail {

/// Two buckets: one ballot says both ranks, and the next places stay in registers.
template <bool Full, uint32_t Ahead, class Tile, size_t N, class Use>
COLONNADE_KERNEL_CODE void rank_two_ways(const Tile &t,
                                         const typename Tile::key (&keys)[Tile::items],
                                         typename Tile::value (&values)[N], Use use) {
  using machine = typename Tile::machine_type;
  const uint32_t *next = t.s.counters(t.machine.warp());
  uint32_t ones_next = next[1];
  const uint32_t both = next[0] + next[1] + t.machine.lane() * Tile::scale;
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Tile::items; ++k) {
    t.template load_value_row<Full>(k + Ahead, values);
    const bool one = t.template id_of<Full>(keys[k], k) != 0;
    const uint32_t ones = t.machine.ballot(one);
    const uint32_t place = ones_next + machine::count_ones(ones & t.others.below) * Tile::scale;
    use(k, one ? place : both + k * 32 * Tile::scale - place);
    ones_next += machine::count_ones(ones) * Tile::scale;
  }
}

/// Several rows' ballots at once. Values are loaded `Ahead` rows before their turn; those
/// before row `Ahead` are there.
template <bool Full, uint32_t Ahead, class Tile, size_t N, class Use>
COLONNADE_KERNEL_CODE void rank_keys(const Tile &t, const typename Tile::key (&keys)[Tile::items],
                                     typename Tile::value (&values)[N], Use use) {
  constexpr multisplit_tuning tuning = Tile::tuning;
  if constexpr (Tile::bits == 1 && tuning.two_way && !tuning.rank_first) {
    rank_two_ways<Full, Ahead>(t, keys, values, use);
  } else {
    constexpr uint32_t rows = tuning.rows_at_once;
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < Tile::items; first += rows) {
      uint32_t *next[rows], same[rows];
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < rows; ++r)
        if (first + r < Tile::items) {
          t.template load_value_row<Full>(first + r + Ahead, values);
          const uint32_t id = t.template id_of<Full>(keys[first + r], first + r);
          next[r] = t.s.counters(t.machine.warp()) + id;
          same[r] = match_lanes<Tile::bits, tuning.match>(t.machine, id);
        }
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < rows; ++r)
        if (first + r < Tile::items)
          use(first + r, rank_row<Tile::rank_scale>(t.machine, t.others, same[r], next[r]));
    }
  }
}

} // namespace colonnade::detail

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
// Invariant: items of one bucket get ascending places in the order of the input; a warp touches
// its own counters alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/warp_rank.hpp>
#include <colonnade/detail/scatter/scatter_tile.hpp>

#include <cstddef>
#include <type_traits>

namespace colonnade::detail {

/// The numbers of bits of an id for which a kernel has code of its own: from Least to Most.
template <uint32_t Least, uint32_t Most = Least> struct ranked_bits {
  static constexpr uint32_t least = Least, most = Most;
  static_assert(1 <= least && least <= most && most <= 8, "1 to 8 bits");
};
template <uint32_t Bits> using bits_constant = std::integral_constant<uint32_t, Bits>;

/// Two buckets: one ballot says both ranks, and the next places stay in registers.
template <uint32_t Ahead, class Tile, size_t N, class Use>
COLONNADE_KERNEL_CODE void rank_two_ways(const Tile &t,
                                         const typename Tile::key (&keys)[Tile::items],
                                         typename Tile::value (&values)[N], Use use) {
  using machine = typename Tile::machine_type;
  const uint32_t *next = t.s.counters(t.machine.warp());
  uint32_t ones_next = next[1];
  const uint32_t both = next[0] + next[1] + t.machine.lane() * Tile::scale;
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Tile::items; ++k) {
    t.load_value_row(k + Ahead, values);
    const bool one = t.id_of(keys[k], k) != 0;
    const uint32_t ones = t.machine.ballot(one);
    const uint32_t place = ones_next + machine::count_ones(ones & t.others.below) * Tile::scale;
    use(k, one ? place : both + k * 32 * Tile::scale - place);
    ones_next += machine::count_ones(ones) * Tile::scale;
  }
}

/// By ballots on `Bits` bits, several rows' at once. Values are loaded `Ahead` rows before their
/// turn; those before row `Ahead` are there.
template <uint32_t Bits, uint32_t Ahead, class Tile, size_t N, class Use>
COLONNADE_KERNEL_CODE void rank_by_bits(const Tile &t,
                                        const typename Tile::key (&keys)[Tile::items],
                                        typename Tile::value (&values)[N], Use use) {
  constexpr multisplit_tuning tuning = Tile::tuning;
  constexpr uint32_t rows = tuning.rows_at_once;
  COLONNADE_UNROLL
  for (uint32_t first = 0; first < Tile::items; first += rows) {
    uint32_t *next[rows], same[rows];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < rows; ++r)
      if (first + r < Tile::items) {
        t.load_value_row(first + r + Ahead, values);
        const uint32_t id = t.id_of(keys[first + r], first + r);
        next[r] = t.s.counters(t.machine.warp()) + id;
        same[r] = match_lanes<Bits, tuning.match>(t.machine, id);
      }
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < rows; ++r)
      if (first + r < Tile::items)
        use(first + r, rank_row<Tile::rank_scale>(t.machine, t.others, same[r], next[r]));
  }
}

/// By the code for as few bits as the ids have. It is chosen once a tile: tests for every bit take
/// 4 to 5 % of the time on an H200.
template <uint32_t Ahead, class Tile, size_t N, class Use, uint32_t Bits = Tile::bits>
COLONNADE_KERNEL_CODE void rank_keys(const Tile &t, const typename Tile::key (&keys)[Tile::items],
                                     typename Tile::value (&values)[N], Use use,
                                     bits_constant<Bits> = {}) {
  constexpr multisplit_tuning tuning = Tile::tuning;
  constexpr uint32_t least = tuning.match == match_method::instruction ? Bits : Tile::ranked::least;
  if constexpr (Bits > least)
    if (t.a.ids.last() >> (Bits - 1) == 0)
      return rank_keys<Ahead>(t, keys, values, use, bits_constant<Bits - 1>{});
  if constexpr (Bits == 1 && tuning.two_way && !tuning.rank_first)
    rank_two_ways<Ahead>(t, keys, values, use);
  else
    rank_by_bits<Bits, Ahead>(t, keys, values, use);
}

} // namespace colonnade::detail

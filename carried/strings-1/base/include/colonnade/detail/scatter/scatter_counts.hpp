//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter_counts.hpp: how many items of a tile are in each bucket: counted, told to the
// tiles behind, and turned into places within the tile.
//
// In: keys in registers. Out of count_keys (or of scatter_ranks.hpp): counts per warp and
// bucket in the warps' counters. Out of publish_counts, seen by the whole block: the
// counters hold the place of the warp's first item of each bucket, scaled; tile_start is
// where each bucket starts; the tile's look-back words say its counts.
// Invariant: one thread of the block has a bucket, and alone writes its sums and words.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/ranking/look_back.hpp>
#include <colonnade/detail/scatter/scatter_tile.hpp>

#include <type_traits>

namespace colonnade::detail {

template <class Tile> COLONNADE_KERNEL_CODE void clear_counters(const Tile &t) {
  uint32_t *mine = t.s.counters(t.machine.warp());
  COLONNADE_UNROLL
  for (uint32_t b = 0; b < Tile::buckets; b += 32)
    if (b + t.machine.lane() < Tile::buckets)
      mine[b + t.machine.lane()] = 0;
  t.machine.warp_sync();
}

/// Few buckets: a thread counts in bytes of one register (two for eight buckets).
template <class Tile>
COLONNADE_KERNEL_CODE void count_packed(const Tile &t,
                                        const typename Tile::key (&keys)[Tile::items]) {
  static_assert(Tile::bits <= 3 && Tile::items < 256, "a byte of 64 bits a bucket");
  using bytes = std::conditional_t<Tile::bits <= 2, uint32_t, uint64_t>;
  constexpr bytes even_bytes = static_cast<bytes>(0x00ff00ff00ff00ff);
  bytes counts = 0;
  COLONNADE_UNROLL
  for (uint32_t k = 0; k < Tile::items; ++k)
    counts += bytes{1} << 8 * t.id_of(keys[k], k);
  bytes even = counts & even_bytes, odd = counts >> 8 & even_bytes; // 16 bits: up to 32 * 255
  COLONNADE_UNROLL
  for (uint32_t mask = 16; mask > 0; mask /= 2) {
    even += t.machine.shuffle_xor(even, mask);
    odd += t.machine.shuffle_xor(odd, mask);
  }
  uint32_t *mine = t.s.counters(t.machine.warp());
  COLONNADE_UNROLL
  for (uint32_t b = 0; b < Tile::buckets; ++b)
    if (t.machine.lane() == b)
      mine[b] = static_cast<uint32_t>((b % 2 ? odd : even) >> b / 2 * 16 & 0xffff);
}

template <class Tile>
COLONNADE_KERNEL_CODE void count_keys(const Tile &t,
                                      const typename Tile::key (&keys)[Tile::items]) {
  if constexpr (Tile::bits <= Tile::tuning.packed_count_bits && Tile::items < 256) {
    count_packed(t, keys);
  } else {
    clear_counters(t);
    uint32_t *mine = t.s.counters(t.machine.warp());
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Tile::items; ++k)
      t.machine.add_shared(mine + t.id_of(keys[k], k), 1);
  }
}

template <class Tile>
COLONNADE_KERNEL_CODE void publish(const Tile &t, uint32_t bucket, uint32_t state, uint32_t count) {
  t.machine.store_word(t.a.words + uint64_t{t.number} * t.a.ids.count() + bucket,
                       look_back_word(state, count) ^ t.a.turn);
}

/// Begins and ends with a barrier of the block.
template <class Tile> COLONNADE_KERNEL_CODE void publish_counts(const Tile &t) {
  t.machine.block_sync();
  const uint32_t b = t.machine.thread();
  uint32_t total = 0;
  if (b < Tile::buckets) {
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < Tile::warps; ++w)
      total += t.s.counters(w)[b];
    if (b < t.a.ids.count())
      publish(t, b, t.number == 0 ? look_back_inclusive : look_back_aggregate, total);
  }
  uint32_t place = block_exclusive_sum(t.machine, total, t.s.scratch());
  if (b <= Tile::buckets)
    t.s.tile_start()[b] = place;
  if (Tile::threads == Tile::buckets && b == 0)
    t.s.tile_start()[Tile::buckets] = Tile::tile_items;
  if (b < Tile::buckets) {
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < Tile::warps; ++w) {
      const uint32_t count = t.s.counters(w)[b];
      t.s.counters(w)[b] = place * Tile::scale;
      place += count;
    }
  }
  t.machine.block_sync();
}

} // namespace colonnade::detail

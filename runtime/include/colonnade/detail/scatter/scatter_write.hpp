//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter_write.hpp: a tile that is sorted by bucket in shared memory goes to the output:
// neighbours in the tile are neighbours there.
//
// In, seen by the whole block: the tile, tile_start and target. Out: every item of the
// tile that is not missing or discarded, once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/registers.hpp>
#include <colonnade/detail/scatter/scatter_tile.hpp>

#include <cstddef>

namespace colonnade::detail {

/// The bucket of the item at a place of the tile.
template <class Tile>
COLONNADE_KERNEL_CODE uint32_t id_at(const Tile &t, const typename Tile::key &item,
                                     uint32_t place) {
  if constexpr (takes_index<decltype(t.a.ids.bucket), typename Tile::key>)
    return bucket_at<Tile::buckets>(t.s.tile_start(), place); // its index is not known any more
  else
    return t.a.ids(item, 0);
}

/// take(slot, k, place), then put(slot, place), for a batch of this thread's places that
/// hold an item to write.
template <bool Full, class Tile, class Take, class Put>
COLONNADE_KERNEL_CODE void for_each_place(const Tile &t, Take take, Put put) {
  constexpr bool all = Full && !decltype(t.a.ids)::discards;
  constexpr uint32_t batch = Tile::tuning.write_batch;
  const uint32_t kept = t.s.tile_start()[t.a.ids.num_buckets];
  const uint32_t end = Full || kept < t.valid ? kept : t.valid;
  COLONNADE_UNROLL
  for (uint32_t first = 0; first < Tile::items; first += batch) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch; ++k) {
      const uint32_t place = (first + k) * Tile::threads + t.machine.thread();
      if (first + k < Tile::items && (all || place < end))
        take(k, first + k, place);
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch; ++k) {
      const uint32_t place = (first + k) * Tile::threads + t.machine.thread();
      if (first + k < Tile::items && (all || place < end))
        put(k, place);
    }
  }
}

/// The keys, and the values with them. In turn: the keys, whose ids stay in `ids`, four a
/// register.
template <bool Full, class Tile, size_t N>
COLONNADE_KERNEL_CODE void write_tile(const Tile &t, uint32_t (&ids)[N]) {
  typename Tile::key moved[Tile::tuning.write_batch] = {};
  typename Tile::offset to[Tile::tuning.write_batch] = {};
  for_each_place<Full>(
      t,
      [&](uint32_t slot, uint32_t k, uint32_t place) {
        moved[slot] = t.s.keys()[place];
        const uint32_t id = id_at(t, moved[slot], place);
        if constexpr (Tile::in_turn)
          pack<4>(ids[k / 4], id, k);
        to[slot] = static_cast<typename Tile::offset>(t.s.target()[id] + place);
      },
      [&](uint32_t slot, uint32_t place) {
        if constexpr (Tile::writes_keys)
          t.a.keys_out[to[slot]] = moved[slot];
        if constexpr (Tile::has_values && !Tile::in_turn)
          t.a.values_out[to[slot]] = t.s.values()[place];
      });
}
template <bool Full, class Tile, size_t N>
COLONNADE_KERNEL_CODE void write_values(const Tile &t, const uint32_t (&ids)[N]) {
  typename Tile::value moved[Tile::tuning.write_batch] = {};
  typename Tile::offset to[Tile::tuning.write_batch] = {};
  for_each_place<Full>(
      t,
      [&](uint32_t slot, uint32_t k, uint32_t place) {
        moved[slot] = t.s.values()[place];
        to[slot] =
            static_cast<typename Tile::offset>(t.s.target()[unpack<4>(ids[k / 4], k)] + place);
      },
      [&](uint32_t slot, uint32_t) { t.a.values_out[to[slot]] = moved[slot]; });
}

} // namespace colonnade::detail

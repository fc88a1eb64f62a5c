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
// Invariant: items keep their order within a bucket.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/registers.hpp>
#include <colonnade/detail/scatter/scatter_tile.hpp>

#include <cstddef>
#include <type_traits>

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

/// Where items of a full tile go whose output indices are below 2^32: the usual case.
template <class Tile> struct near_items {
  using offset = uint32_t;
  static constexpr uint32_t batches_at_once = Tile::batches;
  const Tile &t;
  uint32_t kept; // of the tile; those discarded come behind

  COLONNADE_KERNEL_CODE explicit near_items(const Tile &tile)
      : t(tile), kept(tile.s.tile_start()[tile.a.ids.num_buckets]) {}
  COLONNADE_KERNEL_CODE bool exists(uint32_t place) const {
    return !decltype(t.a.ids)::discards || place < kept;
  }
  COLONNADE_KERNEL_CODE offset index(uint32_t id, uint32_t place) const {
    return t.s.target()[id] + place;
  }
};
/// Of any tile, anywhere. What is missing ends the bucket of the tile's last item.
template <class Tile> struct far_items {
  using offset = uint64_t;
  /// Little code, but where ids stay in registers with names.
  static constexpr uint32_t batches_at_once = Tile::in_turn ? Tile::batches : 1;
  const Tile &t;
  uint32_t kept, missing, missing_at;

  COLONNADE_KERNEL_CODE explicit far_items(const Tile &tile)
      : t(tile), kept(tile.s.tile_start()[tile.a.ids.num_buckets]),
        missing(Tile::tile_items - tile.valid),
        missing_at(tile.s.tile_start()[tile.last_id() + 1] - missing) {}
  COLONNADE_KERNEL_CODE bool exists(uint32_t place) const {
    return place < kept && place - missing_at >= missing;
  }
  /// A portion has fewer than 2^30 items: what is behind its bucket's base needs no more bits.
  COLONNADE_KERNEL_CODE offset index(uint32_t id, uint32_t place) const {
    const uint64_t base = t.a.base[id];
    return base + (t.s.target()[id] + place - static_cast<uint32_t>(base));
  }
};
template <class Tile, class Write>
COLONNADE_KERNEL_CODE void with_items(const Tile &t, Write write) {
  if (t.is_full() && !t.a.far)
    write(near_items<Tile>(t));
  else
    write(far_items<Tile>(t));
}

/// take(slot, k, place), then put(slot, place), for a batch of this thread's places that
/// hold an item to write.
template <class Tile, class Items, class Take, class Put>
COLONNADE_KERNEL_CODE void for_each_place(const Tile &t, const Items &items, Take take, Put put) {
  constexpr uint32_t batch = Tile::tuning.write_batch;
  COLONNADE_UNROLL_BY(Items::batches_at_once)
  for (uint32_t first = 0; first < Tile::items; first += batch) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch; ++k) {
      const uint32_t place = (first + k) * Tile::threads + t.machine.thread();
      if (first + k < Tile::items && items.exists(place))
        take(k, first + k, place);
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < batch; ++k) {
      const uint32_t place = (first + k) * Tile::threads + t.machine.thread();
      if (first + k < Tile::items && items.exists(place))
        put(k, place);
    }
  }
}

/// The keys, and the values with them. In turn: the keys, whose ids stay in `ids`, four a
/// register.
template <class Tile, size_t N>
COLONNADE_KERNEL_CODE void write_tile(const Tile &t, uint32_t (&ids)[N]) {
  with_items(t, [&](const auto &items) {
    typename Tile::key moved[Tile::tuning.write_batch] = {};
    typename std::decay_t<decltype(items)>::offset to[Tile::tuning.write_batch] = {};
    for_each_place(
        t, items,
        [&](uint32_t slot, uint32_t k, uint32_t place) {
          moved[slot] = t.s.keys()[place];
          const uint32_t id = id_at(t, moved[slot], place);
          if constexpr (Tile::in_turn)
            pack<4>(ids[k / 4], id, k);
          to[slot] = items.index(id, place);
        },
        [&](uint32_t slot, uint32_t place) {
          if constexpr (Tile::writes_keys)
            t.a.keys_out[to[slot]] = moved[slot];
          if constexpr (Tile::has_values && !Tile::in_turn)
            t.a.values_out[to[slot]] = t.s.values()[place];
        });
  });
}
template <class Tile, size_t N>
COLONNADE_KERNEL_CODE void write_values(const Tile &t, const uint32_t (&ids)[N]) {
  with_items(t, [&](const auto &items) {
    typename Tile::value moved[Tile::tuning.write_batch] = {};
    typename std::decay_t<decltype(items)>::offset to[Tile::tuning.write_batch] = {};
    for_each_place(
        t, items,
        [&](uint32_t slot, uint32_t k, uint32_t place) {
          moved[slot] = t.s.values()[place];
          to[slot] = items.index(unpack<4>(ids[k / 4], k), place);
        },
        [&](uint32_t slot, uint32_t) { t.a.values_out[to[slot]] = moved[slot]; });
  });
}

} // namespace colonnade::detail

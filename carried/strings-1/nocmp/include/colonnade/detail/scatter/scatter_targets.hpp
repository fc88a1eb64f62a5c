//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter_targets.hpp: where in the output each bucket's items of a tile go: what all
// tiles before hold, by looking back at their words.
//
// In: counts published, tile_start known. Out: target (after a barrier of the block); the
// tile's words say what all tiles up to it hold; the last tile leaves the next portion's
// bases.
// Invariant: a tile waits only for tiles before it, whose blocks have started already.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/look_back.hpp>
#include <colonnade/detail/scatter/scatter_counts.hpp>

namespace colonnade::detail {

/// So many neighbouring lanes walk for a bucket.
template <uint32_t Room, uint32_t Most>
constexpr uint32_t look_back_lanes = Room >= Most ? Most
                                     : Room >= 16 ? 16
                                     : Room >= 8  ? 8
                                     : Room >= 4  ? 4
                                     : Room >= 2  ? 2
                                                  : 1;

template <class Tile> COLONNADE_KERNEL_CODE void find_targets(const Tile &t) {
  constexpr uint32_t lanes =
      look_back_lanes<Tile::threads / Tile::buckets, Tile::tuning.look_back_lanes>;
  const uint32_t b = t.machine.thread() / lanes;
  const bool active = b < t.a.ids.count();
  if (t.machine.warp() * (32 / lanes) >= t.a.ids.count()) // the whole warp has none
    return;
  const uint64_t base = active ? t.a.base[b] : 0;
  const look_back_column column{t.a.words + b, t.a.ids.count(), t.a.turn};
  uint32_t before = 0;
  if constexpr (lanes > 1)
    before = look_back_together<lanes>(t.machine, column, t.number, active);
  else if (active)
    before = look_back_alone<Tile::tuning.look_back_window>(t.machine, column, t.number);
  if (!active || t.machine.lane() % lanes != 0)
    return;
  const uint32_t start = t.s.tile_start()[b], count = t.s.tile_start()[b + 1] - start;
  if (t.number != 0)
    publish(t, b, look_back_inclusive, before + count);
  t.s.target()[b] = static_cast<uint32_t>(base) + before - start;
  if (t.a.next_base && t.number == t.a.num_tiles - 1)
    t.a.next_base[b] = base + before + count;
}

} // namespace colonnade::detail

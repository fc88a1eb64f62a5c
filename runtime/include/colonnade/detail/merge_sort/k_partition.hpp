//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// k_partition.hpp: one warp splits a stream into Ways partitions by Ways - 1 pivots, in
// its registers.
//
// Rows rows of 32 items are read at a time and sorted. A row whose first and last item
// belong to one partition goes there as it is, in one piece; of a row with a border in it
// every item goes to its own.
//
// Source: the thesis on virtual address translation and hulls, algorithm 10.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/two_dimensional.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>

namespace colonnade::detail {

/// An item belongs to the partition of the number of pivots that do not come behind it.
/// Lane j < Ways - 1: `pivot`, sorted by j; lane p < Ways: `next`, the next free place of
/// partition p, moved on. Read: Item(index); Write: void(place, item), any lane.
template <uint32_t Ways, uint32_t Rows, bool Stable, class Item, class Machine, class Read,
          class Write, class Less>
COLONNADE_KERNEL_CODE void k_partition(const Machine &machine, uint32_t num_items,
                                       const Item &pivot, uint64_t &next, const Read &read,
                                       const Write &write, const Less &less) {
  static_assert(Ways >= 2 && Ways < 32, "a lane each");
  const uint32_t lane = machine.lane();
  const other_lanes others(lane);
  for (uint32_t begin = 0; begin < num_items; begin += Rows * 32) {
    placed_item<Item> rows[Rows];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r) {
      const uint32_t index = begin + r * 32 + lane;
      rows[r].item = index < num_items ? read(index) : Item{};
      rows[r].place = index < num_items ? index : absent_place;
    }
    sort_two_dimensional(machine, rows, placed_order<Less, Stable>{less});
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Rows; ++r) {
      uint32_t partition = 0;
      COLONNADE_UNROLL
      for (uint32_t j = 0; j + 1 < Ways; ++j)
        partition += !less(rows[r].item, take_from_lane(machine, pivot, j));
      if (!rows[r].is_there())
        partition = Ways; // nowhere
      const uint32_t first = machine.shuffle(partition, 0), last = machine.shuffle(partition, 31);
      if (first == last) {
        const uint64_t place = machine.shuffle(next, first) + lane;
        if (first < Ways)
          write(place, rows[r].item);
        next += lane == first && first < Ways ? 32 : 0;
        continue;
      }
      for (uint32_t p = 0; p < Ways; ++p) {
        const uint32_t same = machine.ballot(partition == p);
        const uint64_t place = machine.shuffle(next, p) + Machine::count_ones(same & others.below);
        if (partition == p)
          write(place, rows[r].item);
        next += lane == p ? Machine::count_ones(same) : 0;
      }
    }
  }
}

} // namespace colonnade::detail

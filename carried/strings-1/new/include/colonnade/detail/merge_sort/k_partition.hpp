//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// k_partition.hpp: one warp divides a stream into Ways partitions by Ways - 1 pivots, in its
// registers.
//
// In: items, and sorted pivots. Out: each item at the next free place of its partition. Rows
// rows of 32 items are read at a time and sorted. A row whose first and last item belong to the
// same partition is written as a whole; of any other row, the items of each partition.
// Invariant: an item goes to partition p if p of the pivots do not come after it.
//
// Source: the thesis on virtual address translation and hulls, algorithm 10.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/two_dimensional.hpp>
#include <colonnade/detail/ranking/warp_rank.hpp>

namespace colonnade::detail {

/// pivot: in lane j < Ways - 1 the j-th pivot; next: in lane p < Ways the next free place of
/// partition p, which moves on. read(index) gives an item, write(place, item) writes one; any
/// lane calls them.
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

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tile_pieces.hpp: where the items of a tile of a pass are in the runs, and where they go.
//
// In: the plan and the splits of the pass. Out: a piece of each run, and the place of the merged
// tile in the output. Invariant: a piece stays within its run, and the tile within `most` items
// and the array, whatever the splits are: if the caller's comparator is no strict weak order they
// may be anything.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merge_sort/pass_plan.hpp>

namespace colonnade::detail {

template <uint32_t Ways> struct tile_pieces {
  uint64_t place[Ways]; // in the array
  uint32_t items[Ways];
  uint32_t total;
  uint64_t target; // of the first item, in the output

  COLONNADE_KERNEL_CODE tile_pieces(const pass_plan &plan, const uint64_t *splits, uint32_t tile,
                                    uint32_t most) {
    const uint32_t group = tile / plan.tiles_per_group;
    const bool last = tile + 1 == plan.num_tiles || tile + 1 == (group + 1) * plan.tiles_per_group;
    const uint64_t group_begin = group * plan.group_items();
    const uint64_t *begins = splits + uint64_t{tile} * Ways, *ends = begins + Ways;
    uint64_t begin[Ways], end[Ways];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Ways; ++r) {
      begin[r] = begins[r];
      end[r] = last ? plan.run_items : ends[r];
    }
    target = group_begin;
    total = 0;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Ways; ++r) {
      const uint64_t run_begin = group_begin + r * plan.run_items;
      const uint64_t run_end = plan.items_of_run(run_begin);
      const uint64_t from = begin[r] < run_end ? begin[r] : run_end;
      const uint64_t to = end[r] < run_end ? end[r] : run_end;
      place[r] = run_begin + from;
      target += from;
      items[r] = from < to ? at_most(to - from, most - total) : 0;
      total += items[r];
    }
    const uint64_t room = plan.num_items - target; // target <= num_items: places in runs add up
    uint32_t filled = 0;
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < Ways; ++r) {
      items[r] = at_most(items[r], static_cast<uint32_t>(room < most ? room : most) - filled);
      filled += items[r];
    }
    total = filled;
  }

private:
  static COLONNADE_KERNEL_CODE uint32_t at_most(uint64_t items, uint32_t room) {
    return items < room ? static_cast<uint32_t>(items) : room;
  }
};

} // namespace colonnade::detail

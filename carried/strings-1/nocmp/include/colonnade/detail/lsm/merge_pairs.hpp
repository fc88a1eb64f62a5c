//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_pairs.hpp: merges the runs of a tile in shared memory.
//
// In: the pieces of a tile, as cells (merge_tile.hpp). Out: one sorted sequence of cells in their
// place; or this thread's share of it in registers. Runs become twice as large from the newest to
// the oldest: all but the oldest are merged in pairs, from the newest on, until they are one; this
// one is merged with the oldest, which is half of all. Invariant: behind each sequence stands the
// largest cell, so that no step asks whether it has ended.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/merge_tile.hpp>

namespace colonnade::detail {

template <class Tuning, bool Drops, class Arguments, class Machine>
class lsm_merge_pairs : public lsm_merge_tile<Tuning, Drops, Arguments, Machine> {
  using tile = lsm_merge_tile<Tuning, Drops, Arguments, Machine>;

public:
  using tile::items_per_thread;
  using tile::tile;
  using typename tile::cell;

protected:
  using tile::machine_;
  using tile::plan_;
  using tile::s_;

  /// Neighbouring runs first to middle - 1 and middle to end - 1, each merged before.
  struct pair {
    uint32_t first, middle, end;
  };
  /// Of the runs but the oldest, from the newest on, `width` are merged.
  COLONNADE_KERNEL_CODE void merge_newer(uint32_t width) const {
    uint32_t sharer = machine_.thread(), end = plan_.num_runs;
    pair chosen{0, 0, 0};
    while (end > width + 1 && !chosen.end) {
      const uint32_t middle = end - width, first = middle > width + 1 ? middle - width : 1;
      if (shares({first, middle, end}, sharer))
        chosen = {first, middle, end};
      end = first;
    }
    merge(chosen, sharer);
  }
  COLONNADE_KERNEL_CODE void merge_oldest() const {
    uint32_t sharer = machine_.thread();
    const pair both{0, 1, plan_.num_runs};
    merge(shares(both, sharer) ? both : pair{0, 0, 0}, sharer);
  }
  /// Whether thread `sharer` of those that are left has a share of the pair. No thread has a share
  /// of two.
  COLONNADE_KERNEL_CODE bool shares(const pair &p, uint32_t &sharer) const {
    const uint32_t begin = s_.bound[p.first], middle = s_.bound[p.middle], end = s_.bound[p.end],
                   share = s_.share;
    if (middle == end) // what is there stays where it is
      return false;
    if (sharer * share < end - begin)
      return true;
    sharer -= (end - begin + share - 1) / share;
    return false;
  }
  /// The thread's share of the pair, if it has an end.
  COLONNADE_KERNEL_CODE void merge(const pair &p, uint32_t sharer) const {
    const uint32_t share = s_.share, diagonal = sharer * share,
                   num_items = s_.bound[p.end] - s_.bound[p.first];
    cell *const cells = s_.cells + s_.bound[p.first] + p.first;
    cell merged[items_per_thread];
    if (p.end)
      merge_to(p, diagonal, merged);
    machine_.block_sync();
    if (p.end) {
      const uint32_t left = num_items - diagonal;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < items_per_thread; ++i)
        if (i < share && i < left)
          cells[diagonal + i] = merged[i];
      if (left <= share)
        cells[num_items] = cell::largest();
    }
    machine_.block_sync();
  }
  /// A share of the pair from `diagonal` on.
  COLONNADE_KERNEL_CODE void merge_to(const pair &p, uint32_t diagonal,
                                      cell (&merged)[items_per_thread]) const {
    const uint32_t num_a = s_.bound[p.middle] - s_.bound[p.first],
                   num_b = s_.bound[p.end] - s_.bound[p.middle];
    const cell *const a = s_.cells + s_.bound[p.first] + p.first;
    const cell *const b = s_.cells + s_.bound[p.middle] + p.middle;
    const auto order = tile::order();
    const uint32_t from_a = cells_from_first(a, num_a, b, num_b, diagonal, order);
    merge_cells(a + from_a, b + (diagonal - from_a), s_.share, order, merged);
  }
  /// The thread's share of the whole tile.
  COLONNADE_KERNEL_CODE void merge_own(uint32_t first, uint32_t num_own,
                                       cell (&cells)[items_per_thread]) const {
    const pair both{0, 1, plan_.num_runs};
    uint32_t sharer = machine_.thread();
    if (plan_.num_runs > 1 && shares(both, sharer)) {
      merge_to(both, first, cells);
      return;
    }
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i)
      if (i < num_own)
        cells[i] = s_.cells[first + i];
  }
};

} // namespace colonnade::detail

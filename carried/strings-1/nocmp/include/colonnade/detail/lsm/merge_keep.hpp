//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_keep.hpp: of a tile of a cleanup, what is not stale.
//
// In: a tile whose runs but the oldest are merged. Out: what is left of it, in the staging area at
// the place of the tile, and how many elements that is. Invariant: stale is all but the last of
// equal keys, and tombstones; equal keys may be in the next tile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/lsm/merge_pairs.hpp>

namespace colonnade::detail {

template <class Tuning, class Arguments, class Machine>
class lsm_merge_keep : public lsm_merge_pairs<Tuning, true, Arguments, Machine> {
  using pairs = lsm_merge_pairs<Tuning, true, Arguments, Machine>;

public:
  using pairs::items_per_thread;
  using pairs::pairs;
  using pairs::threads;
  using typename pairs::cell;
  using typename pairs::origin;
  using typename pairs::raw;
  using typename pairs::table;

protected:
  using pairs::a_;
  using pairs::machine_;
  using pairs::plan_;
  using pairs::s_;

  /// Merges with the oldest run and drops what is stale; what is left goes to the staging area.
  template <bool Erased> COLONNADE_KERNEL_CODE void finish(uint64_t tile) const {
    const uint32_t num_items = pairs::items_of_tile(), first = machine_.thread() * s_.share,
                   left = first < num_items ? num_items - first : 0,
                   num_own = left < s_.share ? left : s_.share;
    cell cells[items_per_thread];
    pairs::merge_own(first, num_own, cells);
    machine_.block_sync(); // all cells have been read
    if (num_own)
      s_.cells[machine_.thread()] = cells[0];
    machine_.block_sync();
    const uint32_t kept = kept_of<Erased>(cells, num_own, left == num_own);
    const uint64_t num_kept = Machine::count_ones(kept);
    // Beyond its barrier nobody reads the cells of before.
    uint32_t at = static_cast<uint32_t>(block_exclusive_sum(machine_, num_kept, s_.scratch));
    if (machine_.thread() == threads - 1)
      s_.kept = at + static_cast<uint32_t>(num_kept);
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i)
      if (kept >> i & 1)
        s_.cells[at++] = cells[i];
    machine_.block_sync();
    stage<Erased>(tile, s_.kept);
    if (machine_.thread() == 0)
      a_.tile_counts[tile] = s_.kept;
  }

private:
  /// A bit for each of the thread's cells that stays: the last of its key, and no tombstone. The
  /// first cell of every thread is in shared memory.
  template <bool Erased>
  COLONNADE_KERNEL_CODE uint32_t kept_of(const cell (&cells)[items_per_thread], uint32_t num_own,
                                         bool ends_tile) const {
    const auto order = pairs::order();
    uint32_t kept = 0;
    cell last{};
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < items_per_thread; ++i) {
      if (i >= num_own)
        continue;
      last = cells[i];
      const uint32_t next = i + 1 < items_per_thread ? i + 1 : i;
      if (i + 1 == num_own || !order.same_word(cells[next], last))
        kept |= 1u << i;
      if (Erased && origin::is_tombstone(cells[i].origin()))
        kept &= ~(1u << i);
    }
    if (num_own && (ends_tile ? goes_on(pairs::word_of(last))
                              : order.same_word(s_.cells[machine_.thread() + 1], last)))
      kept &= ~(1u << (num_own - 1));
    return kept;
  }
  /// Whether the tile's last key goes on in the next tile: then it is first in what some run has
  /// there.
  COLONNADE_KERNEL_CODE bool goes_on(raw last) const {
    for (uint32_t r = 0; r < plan_.num_runs; ++r)
      if (s_.has_next[r] && a_.format.word(s_.next_keys[r]) == last)
        return true;
    return false;
  }
  template <bool Erased> COLONNADE_KERNEL_CODE void stage(uint64_t tile, uint32_t num_kept) const {
    typename table::slice slice = a_.staging;
    slice.index = nullptr;
    const lsm_part_writer<Machine, decltype(slice)> writer(machine_, slice, tile * plan_.tile_items,
                                                           num_kept);
    writer.template write<false, true>(
        [&](uint32_t i) { return pairs::template element_at<Erased>(i); });
  }
};

} // namespace colonnade::detail

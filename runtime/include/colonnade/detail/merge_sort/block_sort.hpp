//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_sort.hpp: sorts a tile of Threads * I items in registers and shared memory.
//
// Every thread sorts its I items in registers. Then runs of 1, 2, 4, ... threads are
// merged in pairs: items go to shared memory, every thread finds its share of its
// pair's merged sequence and reads it back. Runs within a warp need no barrier of the
// block. I is odd, so that threads which access their items in step (stride I) use
// all banks alike.
//
// In:  thread t holds items [t I, (t + 1) I) of the tile, of which `num_items` exist
// Out: the same places of the sorted tile
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/merge_path.hpp>
#include <colonnade/detail/merging/thread_sort.hpp>

namespace colonnade::detail {

template <class Item, uint32_t Threads, uint32_t I, bool Stable> struct block_sort {
  static_assert(Threads >= 32 && (Threads & (Threads - 1)) == 0, "a power of two, at least a warp");
  static constexpr uint32_t tile_items = Threads * I;
  /// Cells of shared memory; merging reads beyond the tile, and uses nothing of it.
  static constexpr uint32_t num_cells = tile_items + (I > Threads / 32 ? I : Threads / 32);
  using cell = item_cell<Item>;

  /// On entry the cells may be written at once; on exit other threads may still read them.
  template <class Machine, class Less>
  static COLONNADE_KERNEL_CODE void sort(const Machine &machine, cell *cells, Item (&items)[I],
                                         uint32_t num_items, const Less &less) {
    const uint32_t first = machine.thread() * I;
    const uint32_t count = first < num_items ? num_items - first : 0;
    if (count >= I)
      thread_sort<Stable, I>(items, I, less);
    else
      thread_sort<Stable, 1>(items, count, less); // comparators reach place 1 at least
    // Warps on their own: a cell lies between their places, since merging looks a cell ahead.
    for (uint32_t width = 1; width < 32; width *= 2) {
      machine.warp_sync(); // the merge before has read
      merge_runs(machine, cells + machine.warp(), items, width, num_items, less,
                 [&] { machine.warp_sync(); });
    }
    for (uint32_t width = 32; width < Threads; width *= 2) {
      machine.block_sync();
      merge_runs(machine, cells, items, width, num_items, less, [&] { machine.block_sync(); });
    }
  }

  /// Threads' own items; no barrier.
  template <class Machine>
  static COLONNADE_KERNEL_CODE void put_blocked(const Machine &machine, cell *cells,
                                                const Item (&items)[I]) {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < I; ++i)
      cells[machine.thread() * I + i].item = items[i];
  }
  template <class Machine>
  static COLONNADE_KERNEL_CODE void get_blocked(const Machine &machine, const cell *cells,
                                                Item (&items)[I]) {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < I; ++i)
      items[i] = cells[machine.thread() * I + i].item;
  }

private:
  static COLONNADE_KERNEL_CODE uint32_t within(uint32_t place, uint32_t num_items) {
    return place < num_items ? place : num_items;
  }
  /// Merges runs of `width` threads in pairs.
  template <class Machine, class Less, class Sync>
  static COLONNADE_KERNEL_CODE void merge_runs(const Machine &machine, cell *cells,
                                               Item (&items)[I], uint32_t width, uint32_t num_items,
                                               const Less &less, Sync sync) {
    const uint32_t first = machine.thread() * I;
    put_blocked(machine, cells, items);
    sync();
    const uint32_t begin = machine.thread() / (2 * width) * (2 * width) * I;
    const merge_pair pair{within(begin, num_items), within(begin + width * I, num_items),
                          within(begin + 2 * width * I, num_items)};
    if (first < num_items)
      merge_items(cells, pair, first - begin, items, less);
  }
};

} // namespace colonnade::detail

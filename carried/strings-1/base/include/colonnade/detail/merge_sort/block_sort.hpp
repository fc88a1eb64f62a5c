//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_sort.hpp: sorts a tile of Threads * I items in registers and shared memory.
//
// In: thread t has the items t I to (t + 1) I - 1 of the tile, of which the first num_items
// exist. Out: the same places of the sorted tile. Every thread sorts its I items in
// registers. Then the runs of 1, 2, 4, ... threads are merged in pairs: all items go to
// shared memory, every thread finds its share of the merged sequence of its pair (merge
// path) and merges it from there. Runs within a warp need no barrier of the block.
// Invariant: items that do not exist are neither compared nor moved. I is odd in the tuned
// kernels, so that accesses with stride I have no bank conflicts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/merge_path.hpp>
#include <colonnade/detail/merging/thread_sort.hpp>

namespace colonnade::detail {

template <class Item, uint32_t Threads, uint32_t I, bool Stable> struct block_sort {
  static_assert(Threads >= 32 && (Threads & (Threads - 1)) == 0, "a power of two, at least a warp");
  static constexpr uint32_t tile_items = Threads * I;
  /// Cells of shared memory. Merging reads some beyond the tile, and uses nothing of them.
  static constexpr uint32_t num_cells = tile_items + (I > Threads / 32 ? I : Threads / 32);
  using cell = item_cell<Item>;

  /// The cells are free on entry; on return other threads may still read them.
  template <class Machine, class Less>
  static COLONNADE_KERNEL_CODE void sort(const Machine &machine, cell *cells, Item (&items)[I],
                                         uint32_t num_items, const Less &less) {
    const uint32_t first = machine.thread() * I;
    const uint32_t count = first < num_items ? num_items - first : 0;
    if (count >= I)
      thread_sort<Stable, I>(items, I, less);
    else
      thread_sort<Stable, 1>(items, count, less); // every comparator checks `count`
    // Each warp by itself. Its cells begin one further than the warp's before it end, since
    // merging reads one cell beyond its run.
    for (uint32_t width = 1; width < 32; width *= 2) {
      machine.warp_sync(); // the merge before has read its cells
      merge_runs(machine, cells + machine.warp(), items, width, num_items, less,
                 [&] { machine.warp_sync(); });
    }
    for (uint32_t width = 32; width < Threads; width *= 2) {
      machine.block_sync();
      merge_runs(machine, cells, items, width, num_items, less, [&] { machine.block_sync(); });
    }
  }

  /// Every thread writes its own items to the cells, or reads them; no barrier.
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

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_merge_sort.cuh: sorting and merging within a block or a warp, for users' own
// kernels and generated ones.
//
//   block_merge_sort    a tile of Threads * ItemsPerThread items
//   warp_sort           32 * Rows items in the registers of a warp
//   warp_k_merge        sorted streams into one, in the registers of a warp
//   warp_k_partition    a stream into partitions by pivots, in the registers of a warp
//
// Common to all:
//   compare      a functor, __device__ const, trivially copyable, pure: whether a comes
//                before b, a strict weak order
//   items        trivially copyable and default-constructible, any size
//   calls        reached by all threads of the block (all 32 lanes of the warp), with the
//                same sizes; blocks are one-dimensional
//   synchronises block_merge_sort the block, the others the warp
//   stability    stable_sort, and where Stable is true; else none
//   determinism  the same bits on every run
//   aliasing     what is read and what is written are distinct
//   bad orders   a functor that is no strict weak order (floats with NaN) leaves the output
//                unspecified; nothing out of range is accessed
//   n            0 is valid; items beyond it are neither compared nor written
//
// Source: O. Green, R. McColl and D. Bader, GPU merge path (2012); the thesis on virtual
// address translation and hulls, section 4.2, algorithms 9 and 10.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/merge_sort/block_sort.hpp>
#include <colonnade/detail/merge_sort/k_merge.hpp>
#include <colonnade/detail/merge_sort/k_partition.hpp>
#include <colonnade/order.hpp>

namespace colonnade {

/// Thread t holds items [t I, (t + 1) I) before and after; the block has Threads threads,
/// a power of two of at least 32. I is best odd.
///   work     O(n log n) comparisons; depth O(I^2 + I log Threads)
///   storage  `storage_type` in shared memory; free for other use after a __syncthreads
template <class Item, uint32_t Threads, uint32_t ItemsPerThread> class block_merge_sort {
public:
  struct storage_type {
    detail::item_cell<Item>
        cells[detail::block_sort<Item, Threads, ItemsPerThread, true>::num_cells];
  };

  __device__ explicit block_merge_sort(storage_type &storage) : storage_(storage) {}

  /// The first num_items of the tile; equal ones in any order.
  template <class Compare = ascending>
  __device__ void sort(Item (&items)[ItemsPerThread], uint32_t num_items = Threads * ItemsPerThread,
                       Compare compare = {}) const {
    run<false>(items, num_items, compare);
  }
  /// The same; equal ones keep their order.
  template <class Compare = ascending>
  __device__ void stable_sort(Item (&items)[ItemsPerThread],
                              uint32_t num_items = Threads * ItemsPerThread,
                              Compare compare = {}) const {
    run<true>(items, num_items, compare);
  }

private:
  template <bool Stable, class Compare>
  __device__ void run(Item (&items)[ItemsPerThread], uint32_t num_items, Compare compare) const {
    detail::block_sort<Item, Threads, ItemsPerThread, Stable>::sort(
        detail::device_machine{}, storage_.cells, items, num_items, compare);
  }
  storage_type &storage_;
};

/// Item r * 32 + lane of the warp is rows[r] of that lane, before and after; the first
/// num_items are sorted. Stable: equal items keep their order.
///   work  O(n (log^2 32 + log^2 Rows) log Rows); no memory
template <bool Stable = false, uint32_t Rows, class Item, class Compare = ascending>
__device__ void warp_sort(Item (&rows)[Rows], uint32_t num_items = Rows * 32,
                          Compare compare = {}) {
  const detail::device_machine machine;
  detail::placed_item<Item> placed[Rows];
#pragma unroll
  for (uint32_t r = 0; r < Rows; ++r) {
    const uint32_t index = r * 32 + machine.lane();
    placed[r].item = rows[r];
    placed[r].place = index < num_items ? index : detail::absent_place;
  }
  detail::sort_two_dimensional(machine, placed, detail::placed_order<Compare, Stable>{compare});
#pragma unroll
  for (uint32_t r = 0; r < Rows; ++r)
    if (r * 32 + machine.lane() < num_items)
      rows[r] = placed[r].item;
}

template <class Item> struct item_stream {
  const Item *items;
  uint32_t num_items; // of all streams: fewer than 2^32
};

/// Merges Ways sorted streams (a power of two, at most 32) into `out`; `streams` is where
/// all lanes can read it. Rows, at least Ways, rows of 32 items are in registers at a
/// time. Stable: of equal items, those of lower streams come first, in their order.
///   traffic  every item is read and written once, 32 neighbours at a time
template <uint32_t Ways, uint32_t Rows, bool Stable = false, class Item, class Compare = ascending>
__device__ void warp_k_merge(const item_stream<Item> *streams, Item *out, Compare compare = {}) {
  const detail::device_machine machine;
  const auto read = [&](uint32_t from, uint32_t index) { return streams[from].items[index]; };
  const auto write = [&](uint32_t index, const Item &item) { out[index] = item; };
  const uint32_t own_items = machine.lane() < Ways ? streams[machine.lane()].num_items : 0;
  detail::k_merge<Item, Ways, Rows, Stable, detail::device_machine, decltype(read), decltype(write),
                  Compare>(machine, own_items, read, write, compare)
      .run();
}

/// Splits `in` into Ways partitions (at most 31): an item belongs to the partition of the
/// number of pivots that do not come behind it. Lane j < Ways - 1 brings pivot j, sorted;
/// lane p < Ways brings and gets back `next`, the next free place of partition p in `out`.
/// Stable: items of a partition that are equal keep their order; others are sorted within
/// every Rows * 32 items.
///   traffic  every item is read and written once
template <uint32_t Ways, uint32_t Rows, bool Stable = false, class Item, class Compare = ascending>
__device__ void warp_k_partition(const Item *in, uint32_t num_items, Item pivot, uint64_t &next,
                                 Item *out, Compare compare = {}) {
  const auto read = [&](uint32_t index) { return in[index]; };
  const auto write = [&](uint64_t place, const Item &item) { out[place] = item; };
  detail::k_partition<Ways, Rows, Stable>(detail::device_machine{}, num_items, pivot, next, read,
                                          write, compare);
}

} // namespace colonnade

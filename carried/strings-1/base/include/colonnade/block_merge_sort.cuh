//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_merge_sort.cuh: sorts, merges and partitions within a block or a warp, for users'
// own kernels.
//
//   block_merge_sort    sorts a tile of Threads * ItemsPerThread items
//   warp_sort           sorts 32 * Rows items in the registers of a warp
//   warp_k_merge        merges sorted streams into one, in the registers of a warp
//   warp_k_partition    divides a stream by pivots, in the registers of a warp
//
// Common to all:
//   compare      a functor, __device__ const, trivially copyable, pure: whether a comes
//                before b, a strict weak order
//   items        trivially copyable and default-constructible, any size
//   called by    all threads of the block (all 32 lanes of the warp), with the same sizes;
//                blocks are one-dimensional
//   synchronises block_merge_sort the block, the others the warp
//   stability    stable_sort is stable, as are the others with Stable = true
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

/// Thread t has the items t I to (t + 1) I - 1 before and after, I = ItemsPerThread. The block has
/// Threads threads, a power of two of at least 32. An odd I has no bank conflicts.
///   work     O(n log n) comparisons, and O(n I) within threads if stable; depth
///            O(I^2 + (I + log n) log Threads)
///   storage  `storage_type` in shared memory; after a __syncthreads it can be used again
template <class Item, uint32_t Threads, uint32_t ItemsPerThread> class block_merge_sort {
public:
  struct storage_type {
    detail::item_cell<Item>
        cells[detail::block_sort<Item, Threads, ItemsPerThread, true>::num_cells];
  };

  __device__ explicit block_merge_sort(storage_type &storage) : storage_(storage) {}

  /// Sorts the first num_items of the tile; equal ones in any order.
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

/// Sorts the first num_items items; item r * 32 + l is rows[r] of lane l, before and after. Stable:
/// equal items keep their order.
///   work  O(n (log^2 32 + log^2 Rows) (1 + log Rows)); no memory
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

/// A sorted input of warp_k_merge.
template <class Item> struct item_stream {
  const Item *items;
  uint32_t num_items; // of all streams: fewer than 2^32
};

/// Merges Ways sorted streams (a power of two, at most 32) into `out`. All lanes can read
/// `streams`. Rows rows of 32 items are in registers at a time, at least Ways. Stable: of equal
/// items those of lower streams come first, in their order.
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

/// Divides `in` into Ways partitions (2 to 31) by Ways - 1 pivots: an item goes to partition p if p
/// of the pivots do not come after it. Lane j < Ways - 1 passes pivot j, in order; lane p < Ways
/// passes in `next` the first free place of partition p in `out`, and gets the next one back.
/// Within each Rows * 32 items of the input, those of a partition are written in order; Stable:
/// equal ones keep their order.
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

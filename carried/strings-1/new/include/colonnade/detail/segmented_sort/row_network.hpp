//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// row_network.hpp: a bitonic sort of rows, each in the registers of G threads.
//
// In: thread g of a row has the items g * E to (g + 1) * E - 1. Out: the same places of the sorted
// row. Every thread sorts its own items; then runs of 1, 2, 4, ... threads are merged. The first
// step of a merge compares item i of a pair of runs with its mirror image, so that the smaller item
// always goes to the smaller index; the other steps compare items of threads 2^d apart, the last
// ones items within a thread. Items of threads of one warp meet by shuffles, others in shared
// memory. Invariant: log2_threads, of G, is the same for all threads that meet.
//
// Source: K. E. Batcher (1968); the blocked form is that of the K-model's bitonic
// sort, with a thread's registers as its smallest part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/segmented_sort/items.hpp>
#include <colonnade/detail/segmented_sort/row_tile.hpp>
#include <colonnade/detail/sort_network/network.hpp>

namespace colonnade::detail {

/// The comparator of items that have an operator<; always active.
struct exchange_items {
  template <class Item> COLONNADE_KERNEL_CODE void operator()(Item &low, Item &high, bool) const {
    const Item a = low, b = high;
    const bool exchange = b < a;
    low = exchange ? b : a;
    high = exchange ? a : b;
  }
};

/// CrossesWarps: a row may have the threads of more than one warp.
template <class Item, uint32_t E, bool CrossesWarps, class Machine> class row_network {
public:
  using tile = row_tile<Item, E>;

  /// exchange: shared memory, a piece for each thread; used only if rows cross warps.
  COLONNADE_KERNEL_CODE row_network(const Machine &machine, tile exchange)
      : machine_(machine), exchange_(exchange) {}

  COLONNADE_KERNEL_CODE void sort(Item (&x)[E], uint32_t log2_threads) const {
    sort_registers<odd_even_network>(x, exchange_items{});
    for (uint32_t run = 0; run < log2_threads; ++run) {
      compare_mirrored(x, (2u << run) - 1);
      for (uint32_t distance = (1u << run) / 2; distance > 0; distance /= 2)
        compare_straight(x, distance);
      merge_registers(x, exchange_items{});
    }
  }

private:
  /// What this thread keeps of its own and the other thread's item: the upper thread the larger
  /// one.
  static COLONNADE_KERNEL_CODE Item keep(const Item &own, const Item &other, bool upper) {
    return (other < own) != upper ? other : own;
  }

  /// Compares item i with item E - 1 - i of the thread whose number differs in the bits of `mask`.
  COLONNADE_KERNEL_CODE void compare_mirrored(Item (&x)[E], uint32_t mask) const {
    const bool upper = (machine_.thread() & (mask / 2 + 1)) != 0;
    if constexpr (CrossesWarps)
      if (mask >= 32)
        return compare_in_memory(x, mask, upper, E - 1);
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < (E + 1) / 2; ++i) {
      const uint32_t j = E - 1 - i;
      const Item to_i = shuffle_item(machine_, x[j], mask),
                 to_j = shuffle_item(machine_, x[i], mask);
      x[i] = keep(x[i], to_i, upper);
      if (i != j)
        x[j] = keep(x[j], to_j, upper);
    }
  }
  /// Compares item i with item i of that thread.
  COLONNADE_KERNEL_CODE void compare_straight(Item (&x)[E], uint32_t mask) const {
    const bool upper = (machine_.thread() & mask) != 0;
    if constexpr (CrossesWarps)
      if (mask >= 32)
        return compare_in_memory(x, mask, upper, 0);
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < E; ++i)
      x[i] = keep(x[i], shuffle_item(machine_, x[i], mask), upper);
  }
  /// Either of the two through shared memory. mirror: 0, or E - 1.
  COLONNADE_KERNEL_CODE void compare_in_memory(Item (&x)[E], uint32_t mask, bool upper,
                                               uint32_t mirror) const {
    exchange_.write_piece(machine_.thread(), x);
    machine_.block_sync();
    Item y[E];
    exchange_.read_piece(machine_.thread() ^ mask, y);
    machine_.block_sync();
    if (mirror) {
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < E; ++i)
        x[i] = keep(x[i], y[E - 1 - i], upper);
    } else {
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < E; ++i)
        x[i] = keep(x[i], y[i], upper);
    }
  }

  const Machine &machine_;
  tile exchange_;
};

} // namespace colonnade::detail

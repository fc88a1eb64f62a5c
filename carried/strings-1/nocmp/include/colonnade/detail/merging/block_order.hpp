//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_order.hpp: a stable merge sort of few items by one warp or one block, whose number of
// threads is chosen at run time. Many threads have few items each, which is the fastest for
// inputs that one block can sort.
//
// In: at most threads * Items items; threads is a power of two of at least 32. Out: the same
// items, sorted. Every thread sorts its own items, then runs are merged in pairs, as in
// merge_sort/block_sort.hpp, until there is one run. Invariant: all items are read before any is
// written.
//
// Source: O. Green, R. McColl and D. Bader, GPU merge path (2012).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/merge_path.hpp>
#include <colonnade/detail/merging/thread_sort.hpp>

#include <iterator>

namespace colonnade::detail {

/// The group of threads that sort together: one warp of a block, or the block.
template <class Machine> struct one_warp {
  const Machine &machine;
  COLONNADE_KERNEL_CODE uint32_t thread() const { return machine.lane(); }
  COLONNADE_KERNEL_CODE uint32_t warp() const { return 0; }
  COLONNADE_KERNEL_CODE uint32_t num_threads() const { return 32; }
  COLONNADE_KERNEL_CODE void sync() const { machine.warp_sync(); }
};
template <class Machine> struct whole_block {
  const Machine &machine;
  COLONNADE_KERNEL_CODE uint32_t thread() const { return machine.thread(); }
  COLONNADE_KERNEL_CODE uint32_t warp() const { return machine.warp(); }
  COLONNADE_KERNEL_CODE uint32_t num_threads() const { return machine.num_threads(); }
  COLONNADE_KERNEL_CODE void sync() const { machine.block_sync(); }
};

/// The cells that so many threads need. Merging reads some beyond the items, and uses nothing of
/// them; while warps merge by themselves their cells are one cell apart.
template <uint32_t Items> constexpr COLONNADE_HOST_DEVICE uint32_t order_cells(uint32_t threads) {
  return threads * Items + threads / 32 + Items;
}

/// load(i) gives item i of num_items, store(i, item) takes the i-th in order. Called by all threads
/// of the group; the cells are the group's, and free before and after.
template <uint32_t Items, class Item, class Machine, class Group, class Load, class Store,
          class Less>
COLONNADE_KERNEL_CODE void order_items(const Machine &machine, const Group &group,
                                       item_cell<Item> *cells, uint32_t num_items, Load load,
                                       Store store, const Less &less) {
  const uint32_t first = group.thread() * Items;
  const bool has_items = first < num_items;
  Item items[Items];
  COLONNADE_UNROLL
  for (uint32_t i = 0; i < Items; ++i)
    if (first + i < num_items)
      items[i] = load(first + i);
  thread_sort<true, 1>(items, has_items ? num_items - first : 0, less);
  const auto put = [&](item_cell<Item> *to) {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Items; ++i)
      to[first + i].item = items[i];
  };
  const auto merge = [&](const item_cell<Item> *from, uint32_t width) {
    const auto within = [&](uint32_t at) { return at < num_items ? at : num_items; };
    const uint32_t begin = group.thread() / (2 * width) * (2 * width) * Items;
    const merge_pair pair{within(begin), within(begin + width * Items),
                          within(begin + 2 * width * Items)};
    if (has_items)
      merge_items(from, pair, first - begin, items, less);
  };
  uint32_t width = 1;
  for (; width < 32 && width * Items < num_items; width *= 2) {
    machine.warp_sync(); // the merge before has read its cells
    put(cells + group.warp());
    machine.warp_sync();
    merge(cells + group.warp(), width);
  }
  for (; width * Items < num_items; width *= 2) {
    group.sync();
    put(cells);
    group.sync();
    merge(cells, width);
  }
  group.sync();
  put(cells);
  group.sync();
  for (uint32_t i = group.thread(); i < num_items; i += group.num_threads())
    store(i, cells[i].item);
  group.sync();
}

/// In, Out: joined arrays (joined.hpp).
template <class In, class Out, class Compare> struct block_order_arguments {
  using item = typename std::iterator_traits<In>::value_type;
  In in;
  Out out;
  uint32_t num_items;
  Compare compare;
};

/// Sorts a whole input by one block.
template <uint32_t Items, class In, class Out, class Compare, class Machine> struct block_order {
  using arguments = block_order_arguments<In, Out, Compare>;
  using item = typename arguments::item;
  using cell = item_cell<item>;

  static constexpr size_t shared_bytes(uint32_t threads) {
    return order_cells<Items>(threads) * sizeof(cell);
  }
  static COLONNADE_KERNEL_CODE void run(const Machine &machine, const arguments &a, char *shared) {
    order_items<Items, item>(
        machine, whole_block<Machine>{machine}, reinterpret_cast<cell *>(shared), a.num_items,
        [&](uint32_t i) { return static_cast<item>(a.in[static_cast<std::ptrdiff_t>(i)]); },
        [&](uint32_t i, const item &x) { a.out[i] = x; }, item_order<Compare>{a.compare});
  }
};

/// Items of a thread; odd, so that accesses with this stride have no bank conflicts.
constexpr uint32_t order_items_per_thread(size_t item_bytes) {
  return item_bytes <= 8 ? 9 : item_bytes <= 16 ? 5 : 3;
}

/// Threads for so many items: at most 1024 if there are no more than most_in_block_order().
inline uint32_t order_threads(uint64_t num_items, uint32_t items_per_thread) {
  uint32_t threads = 32;
  while (uint64_t{threads} * items_per_thread < num_items)
    threads *= 2;
  return threads;
}

} // namespace colonnade::detail

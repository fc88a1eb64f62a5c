//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_path.hpp: one thread's share of merging two sorted sequences.
//
// In: two sorted ranges of cells, and the first place of the thread's share in the merged
// sequence (its diagonal). Out: I items of the merged sequence, from there on. A binary search on
// the diagonal finds how many of the items before come from each range; then the thread merges I
// items one by one. Invariant: of equal items those of the first range come first.
//
// Source: O. Green, R. McColl and D. Bader, GPU merge path (2012).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/cell_cursor.hpp>

namespace colonnade::detail {

/// How many of the first `diagonal` items of the merged sequence come from a.
template <class Item, class Less>
COLONNADE_KERNEL_CODE uint32_t merge_path(const item_cell<Item> *a, uint32_t a_items,
                                          const item_cell<Item> *b, uint32_t b_items,
                                          uint32_t diagonal, const Less &less) {
  uint32_t low = diagonal > b_items ? diagonal - b_items : 0;
  uint32_t high = diagonal < a_items ? diagonal : a_items;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (less(b[diagonal - 1 - middle].item, a[middle].item))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Two sorted ranges of one array of cells, next to each other.
struct merge_pair {
  uint32_t begin, middle, end;
};

/// The items diagonal, ..., diagonal + I - 1 of the merged pair; those beyond its end are
/// unspecified. Reads one cell beyond the end, and compares it with nothing.
template <uint32_t I, class Item, class Less>
COLONNADE_KERNEL_CODE void merge_items(const item_cell<Item> *cells, const merge_pair &pair,
                                       uint32_t diagonal, Item (&items)[I], const Less &less) {
  const uint32_t from_a = merge_path(cells + pair.begin, pair.middle - pair.begin,
                                     cells + pair.middle, pair.end - pair.middle, diagonal, less);
  cell_cursor<Item> a(cells + pair.begin + from_a, cells + pair.middle);
  cell_cursor<Item> b(cells + pair.middle + diagonal - from_a, cells + pair.end);
  Item next_a = cells[pair.begin + from_a].item;
  Item next_b = cells[pair.middle + diagonal - from_a].item;
  COLONNADE_UNROLL
  for (uint32_t i = 0; i < I; ++i) {
    const bool take_b = b.is_left() && (!a.is_left() || less(next_b, next_a));
    items[i] = select_item(take_b, next_b, next_a);
    if (i + 1 < I) {
      a.step_if(!take_b && a.is_left(), next_a);
      b.step_if(take_b, next_b);
    }
  }
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// two_dimensional.hpp: sorts the registers of a warp as an array of Rows rows and 32 columns
// (shearsort).
//
// In: row r is register r of every lane. Out: the same items, in order row by row. In each phase
// rows are sorted by a bitonic network of shuffles, every other one descending, then columns by a
// network within each lane. For any input of zeros and ones a phase halves the number of rows
// that have both; when one such row is left, all rows are sorted once more, ascending.
// Invariant: items carry their place in the input, which breaks ties in a stable sort. Places
// without an item come after all items.
//
// Source: I. Scherson and S. Sen, Parallel sorting in two-dimensional VLSI models of
// computation (1989), by shuffles as in the thesis on virtual address translation and
// hulls, section 4.2.1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/cell_cursor.hpp>
#include <colonnade/detail/merging/thread_sort.hpp>
#include <colonnade/detail/sort_network/lane_items.hpp>

namespace colonnade::detail {

constexpr uint32_t absent_place = ~0u; // of a place without an item

template <class Item> struct placed_item {
  Item item;
  uint32_t place; // absent_place: there is no item

  COLONNADE_HOST_DEVICE bool is_there() const { return place != absent_place; }
};

/// The order of items, ties by place if Stable; absent items last.
template <class Less, bool Stable> struct placed_order {
  Less less;
  template <class Item>
  COLONNADE_KERNEL_CODE bool operator()(const placed_item<Item> &a,
                                        const placed_item<Item> &b) const {
    if (!a.is_there() || !b.is_there())
      return a.place < b.place && !b.is_there();
    if constexpr (Stable)
      return less(a.item, b.item) || (a.place < b.place && !less(b.item, a.item));
    return less(a.item, b.item);
  }
};

/// Sorts one item in each lane. Of two items of which neither comes before the other, each lane
/// keeps its own.
template <class T, class Machine, class Less>
COLONNADE_KERNEL_CODE void sort_row(const Machine &machine, T &item, bool descending,
                                    const Less &less) {
  COLONNADE_UNROLL
  for (uint32_t size = 2; size <= 32; size *= 2) {
    COLONNADE_UNROLL
    for (uint32_t step = size / 2; step > 0; step /= 2) {
      const T other = take_from_lane_xor(machine, item, step);
      const bool upwards = ((machine.lane() & size) == 0) != descending;
      const bool keeps_first = ((machine.lane() & step) == 0) == upwards;
      const bool take = keeps_first ? less(other, item) : less(item, other);
      item = select_item(take, other, item);
    }
  }
}

/// mixed: how many rows may still have both zeros and ones.
template <uint32_t Rows, class T, class Machine, class Less>
COLONNADE_KERNEL_CODE void sort_two_dimensional(const Machine &machine, T (&rows)[Rows],
                                                const Less &less) {
  if constexpr (Rows > 1)
    for (uint32_t mixed = Rows; mixed > 1; mixed = (mixed + 1) / 2) {
      COLONNADE_UNROLL
      for (uint32_t r = 0; r < Rows; ++r)
        sort_row(machine, rows[r], r % 2 == 1, less);
      sort_registers<odd_even_network>(rows, exchange_by_order<Less>{less});
    }
  COLONNADE_UNROLL
  for (uint32_t r = 0; r < Rows; ++r)
    sort_row(machine, rows[r], false, less);
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// two_dimensional.hpp: sorts the registers of a warp as an array of rows by 32 columns.
//
// Row r is register r of every lane. Rows are sorted by a bitonic network of shuffles,
// every other one descending, then columns by a network within each lane. Each such
// phase halves the rows that are not yet all alike in the 0-1 sense; when one is left, a
// last sorting of rows, all ascending, ends it: items are in order row by row.
//
// Items carry their place in the input, which breaks ties in a stable sort. Items that
// are not there are behind all others.
//
// Source: I. Scherson and S. Sen, Parallel sorting in two-dimensional VLSI models of
// computation (1989), by shuffles as in the thesis on virtual address translation and
// hulls, section 4.2.1.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/cell_cursor.hpp>
#include <colonnade/detail/merging/thread_sort.hpp>

namespace colonnade::detail {

constexpr uint32_t absent_place = ~0u;

template <class Item> struct placed_item {
  Item item;
  uint32_t place; // absent_place: there is no item

  COLONNADE_HOST_DEVICE bool is_there() const { return place != absent_place; }
};

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

template <class T, class Machine>
COLONNADE_KERNEL_CODE T take_from_lane(const Machine &machine, const T &item, uint32_t from) {
  auto words = item_words<T>::of(item);
  COLONNADE_UNROLL
  for (uint32_t w = 0; w < item_words<T>::count; ++w)
    words.at[w] = machine.shuffle(words.at[w], from);
  return words.item();
}
template <class T, class Machine>
COLONNADE_KERNEL_CODE T take_from_lane_xor(const Machine &machine, const T &item, uint32_t mask) {
  auto words = item_words<T>::of(item);
  COLONNADE_UNROLL
  for (uint32_t w = 0; w < item_words<T>::count; ++w)
    words.at[w] = machine.shuffle_xor(words.at[w], mask);
  return words.item();
}

/// One item a lane; of two items that come in neither order each lane keeps its own.
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

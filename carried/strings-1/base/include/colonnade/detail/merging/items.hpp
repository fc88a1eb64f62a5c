//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// items.hpp: the items of sorts by a comparator: keys, or keys joined with their values.
//
// In: the caller's keys, values and comparator. Out: types of items, of cells, and the order of
// items. In registers and in shared memory an item is one object; in global memory keys and
// values are separate arrays. A cell is an item in shared memory. Invariant: a cell has the size
// of its item, and the alignment of the largest word, up to 16 bytes, that divides that size.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/joined.hpp>
#include <colonnade/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace colonnade::detail {

template <class Item> constexpr size_t cell_alignment() {
  size_t alignment = 16;
  while (alignment > alignof(Item) && sizeof(Item) % alignment != 0)
    alignment /= 2;
  return alignment;
}

template <class Item> struct alignas(cell_alignment<Item>()) item_cell {
  Item item;
};

template <class Item> struct is_joined : std::false_type {};
template <class Key, class Value> struct is_joined<joined_item<Key, Value>> : std::true_type {};

template <class Item> COLONNADE_HOST_DEVICE const auto &key_of(const Item &item) {
  if constexpr (is_joined<Item>::value)
    return item.key;
  else
    return item;
}

/// The caller's order of keys as an order of items.
template <class Compare> struct item_order {
  Compare compare;
  template <class Item> COLONNADE_KERNEL_CODE bool operator()(const Item &a, const Item &b) const {
    return compare(key_of(a), key_of(b));
  }
};

} // namespace colonnade::detail

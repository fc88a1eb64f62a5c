//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cell_loader.hpp: copies items from global memory to cells in shared memory.
//
// In: an array of keys, or of keys and of values. Out: cells, complete after the machine's
// wait_for_copies. Items of 4-byte words are copied asynchronously, not through registers
// (cp.async); 16-byte items by one copy if the array is aligned to 16 bytes. Others are
// loaded and stored. Invariant: every copy is aligned as cp.async asks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/merging/items.hpp>

namespace colonnade::detail {

/// The bytes of T that one asynchronous copy moves, wherever it is in an array: 16, 8 or 4; 0: T
/// cannot be copied so.
template <class T>
constexpr uint32_t copy_bytes = sizeof(T) % 4 != 0 || alignof(T) < 4    ? 0
                                : alignof(T) >= 16                      ? 16
                                : alignof(T) == 8 && sizeof(T) % 8 == 0 ? 8
                                                                        : 4;

template <class T, class Machine>
COLONNADE_KERNEL_CODE void copy_words(const Machine &machine, void *shared, const T *global) {
  COLONNADE_UNROLL
  for (uint32_t at = 0; at < sizeof(T); at += copy_bytes<T>)
    machine.template copy_async<copy_bytes<T>>(static_cast<char *>(shared) + at,
                                               reinterpret_cast<const char *>(global) + at);
}

template <class In, class Machine> struct cell_loader;

template <class Item, class Machine> struct cell_loader<const Item *, Machine> {
  const Machine &machine;
  const Item *items;
  bool aligned;

  COLONNADE_KERNEL_CODE cell_loader(const Machine &m, const Item *in)
      : machine(m), items(in), aligned(reinterpret_cast<uintptr_t>(in) % 16 == 0) {}
  COLONNADE_KERNEL_CODE void load(item_cell<Item> *cell, uint64_t place) const {
    if constexpr (copy_bytes<Item> == 0) {
      cell->item = items[place];
    } else if constexpr (sizeof(Item) == 16 && copy_bytes<Item> < 16) {
      if (aligned)
        machine.template copy_async<16>(cell, items + place);
      else
        copy_words(machine, cell, items + place);
    } else {
      copy_words(machine, cell, items + place);
    }
  }
};

template <class Key, class Value, class Machine>
struct cell_loader<joined_input<const Key *, const Value *>, Machine> {
  const Machine &machine;
  joined_input<const Key *, const Value *> items;

  COLONNADE_KERNEL_CODE cell_loader(const Machine &m, joined_input<const Key *, const Value *> in)
      : machine(m), items(in) {}
  COLONNADE_KERNEL_CODE void load(item_cell<joined_item<Key, Value>> *cell, uint64_t place) const {
    if constexpr (copy_bytes<Key> != 0 && copy_bytes<Value> != 0) {
      copy_words(machine, &cell->item.key, items.keys + place);
      copy_words(machine, &cell->item.value, items.values + place);
    } else {
      cell->item = items[static_cast<std::ptrdiff_t>(place)];
    }
  }
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// shared_items.hpp: 2^Log2Items items in shared memory, in slots of 4 bytes.
//
// In: the byte offset of an item's slot, 4 * its number. Out: the item. Invariant: word w of all
// items is an array of its own, so items of any size have the same bank conflicts as 4-byte ones.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/exchange.hpp>

namespace colonnade::detail {

template <class Key, class Value, uint32_t Log2Items> struct shared_items {
  using item = sort_item<Key, Value>;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  static constexpr uint32_t words =
      item_words<Key>::count + (has_values ? item_words<Value>::count : 0);
  static constexpr size_t bytes = sizeof(uint32_t) * words << Log2Items;

  char *memory;

  COLONNADE_KERNEL_CODE void put(uint32_t slot, const item &what) const {
    put_words<0>(slot, what.key);
    if constexpr (has_values)
      put_words<item_words<Key>::count>(slot, what.value);
  }
  COLONNADE_KERNEL_CODE item get(uint32_t slot) const {
    item result;
    get_words<0>(slot, result.key);
    if constexpr (has_values)
      get_words<item_words<Key>::count>(slot, result.value);
    return result;
  }

private:
  template <uint32_t Plane, class T>
  COLONNADE_KERNEL_CODE void put_words(uint32_t slot, const T &from) const {
    const auto words = item_words<T>::of(from);
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < item_words<T>::count; ++w)
      word(Plane + w, slot) = words.at[w];
  }
  template <uint32_t Plane, class T>
  COLONNADE_KERNEL_CODE void get_words(uint32_t slot, T &to) const {
    item_words<T> words;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < item_words<T>::count; ++w)
      words.at[w] = word(Plane + w, slot);
    to = words.item();
  }
  COLONNADE_KERNEL_CODE uint32_t &word(uint32_t plane, uint32_t slot) const {
    return *reinterpret_cast<uint32_t *>(memory + slot + (size_t{4} * plane << Log2Items));
  }
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// last_item.hpp: an item that stays last in every sorting network. With it in the places beyond
// the end of an array, a network for more items sorts the array, and no comparator has to check
// where the array ends.
//
// In: the type of the comparator and of an item. Out: last_item<Exchange, Item>: `exists`, and if
// so `value()`. Invariant: with value() as the higher item an exchange changes nothing, whatever
// the lower item is, NaN too. It exists for numbers in the orders of order.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/exchange.hpp>
#include <colonnade/order.hpp>

#include <limits>

namespace colonnade::detail {

template <class Less, class Key> struct last_key {
  static constexpr bool exists = false;
};
template <class Key>
  requires std::is_arithmetic_v<Key>
struct last_key<ascending, Key> {
  using limits = std::numeric_limits<Key>;
  static constexpr bool exists = true;
  static constexpr Key value = limits::has_infinity ? limits::infinity() : limits::max();
};
template <class Key>
  requires std::is_arithmetic_v<Key>
struct last_key<descending, Key> {
  using limits = std::numeric_limits<Key>;
  static constexpr bool exists = true;
  static constexpr Key value = limits::has_infinity ? -limits::infinity() : limits::lowest();
};

/// The greatest row number; of values with numbers (columns.hpp) one with the greatest.
template <class Number> struct last_number {
  static constexpr COLONNADE_HOST_DEVICE Number value() { return static_cast<Number>(~Number{0}); }
};

template <class Exchange, class Item> struct last_item {
  static constexpr bool exists = false;
};
template <class Less, class Key, class Value>
struct last_item<exchange_by_key<Less>, sort_item<Key, Value>> {
  static constexpr bool exists = last_key<Less, Key>::exists;
  static COLONNADE_KERNEL_CODE sort_item<Key, Value> value() {
    sort_item<Key, Value> item{};
    item.key = last_key<Less, Key>::value;
    return item;
  }
};
template <class Less, class Key, class Value>
struct last_item<exchange_by_key_and_value<Less>, sort_item<Key, Value>> {
  static constexpr bool exists = last_key<Less, Key>::exists;
  static COLONNADE_KERNEL_CODE sort_item<Key, Value> value() {
    return {last_key<Less, Key>::value, last_number<Value>::value()};
  }
};

} // namespace colonnade::detail

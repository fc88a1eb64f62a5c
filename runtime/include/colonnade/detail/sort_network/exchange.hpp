//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// exchange.hpp: what a comparator of a network does to two items, without a branch.
//
// After exchange(low, high, active) of an active comparator, `high` does not come
// before `low`; an inactive one changes nothing. Either way the two items are the
// same two: whatever the order is, nothing is lost. Items are selected word by word,
// so that they stay in registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace colonnade::detail {

/// Value of a sort of keys alone.
struct no_value {};

template <class T>
constexpr bool sortable =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && sizeof(T) <= 16;

/// A key with what goes with it.
template <class Key, class Value> struct sort_item {
  Key key;
  Value value;
};
template <class Key> struct sort_item<Key, no_value> {
  Key key;
};

/// An object as 4-byte words; the last may be part filled.
template <class T> struct item_words {
  static constexpr uint32_t count = (sizeof(T) + 3) / 4;
  uint32_t at[count];

  COLONNADE_HOST_DEVICE static item_words of(const T &item) {
    item_words words;
    if constexpr (sizeof(T) % 4 != 0)
      words.at[count - 1] = 0;
    memcpy(words.at, &item, sizeof(T));
    return words;
  }
  COLONNADE_HOST_DEVICE T item() const {
    T result;
    memcpy(&result, at, sizeof(T));
    return result;
  }
};

template <class T> COLONNADE_HOST_DEVICE void exchange_if(bool swap, T &a, T &b) {
  if constexpr (std::is_arithmetic_v<T>) {
    const T low = a, high = b;
    a = swap ? high : low;
    b = swap ? low : high;
  } else {
    const item_words<T> low = item_words<T>::of(a), high = item_words<T>::of(b);
    item_words<T> to_a, to_b;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < item_words<T>::count; ++w) {
      to_a.at[w] = swap ? high.at[w] : low.at[w];
      to_b.at[w] = swap ? low.at[w] : high.at[w];
    }
    a = to_a.item();
    b = to_b.item();
  }
}

/// By the keys alone: equal keys stay as they are, but a network as a whole does not
/// keep their order.
template <class Less> struct exchange_by_key {
  Less less;

  template <class Key, class Value>
  COLONNADE_KERNEL_CODE void operator()(sort_item<Key, Value> &low, sort_item<Key, Value> &high,
                                        bool active) const {
    const bool swap = active & static_cast<bool>(less(high.key, low.key));
    exchange_if(swap, low.key, high.key);
    if constexpr (!std::is_same_v<Value, no_value>)
      exchange_if(swap, low.value, high.value);
  }
};

/// Equal keys by their values, which are numbers: with the items' places, a network
/// is stable.
template <class Less> struct exchange_by_key_and_value {
  Less less;

  template <class Key, class Value>
  COLONNADE_KERNEL_CODE void operator()(sort_item<Key, Value> &low, sort_item<Key, Value> &high,
                                        bool active) const {
    const bool before = static_cast<bool>(less(high.key, low.key));
    const bool equal = !before & !static_cast<bool>(less(low.key, high.key));
    const bool swap = active & (before | (equal & (high.value < low.value)));
    exchange_if(swap, low.key, high.key);
    exchange_if(swap, low.value, high.value);
  }
};

} // namespace colonnade::detail

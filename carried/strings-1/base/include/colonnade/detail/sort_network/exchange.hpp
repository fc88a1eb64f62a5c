//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// exchange.hpp: the comparator of a sorting network: orders two items, without a branch.
//
// In: two items, `low` and `high`, and whether the comparator is active. Out: after
// exchange(low, high, true), `high` does not come before `low`; exchange(low, high, false)
// changes nothing. Invariant: either way they are the same two items, so whatever the order
// is, nothing is lost. Items are selected word by word, so that they stay in registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace colonnade::detail {

/// The value type of a sort of keys alone.
struct no_value {};

/// Whether networks sort keys, or move values, of type T.
template <class T>
constexpr bool sortable =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && sizeof(T) <= 16;

/// A key with its value, or a key alone.
template <class Key, class Value> struct sort_item {
  Key key;
  Value value;
};
template <class Key> struct sort_item<Key, no_value> {
  Key key;
};

/// An object as 4-byte words; of the last one only a part may be used.
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

/// Swaps a and b if `swap`.
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

/// Orders by the keys alone. A comparator leaves equal keys as they are, but a network as a whole
/// is not stable.
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

/// Orders equal keys by their values. With the items' places as values, a network is stable.
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

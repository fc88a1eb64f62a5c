//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// joined.hpp: keys and values as one sequence of items.
//
// In: an array of keys and one of values. Out: one iterator that reads, or writes, both. Without
// values it is that of the keys, without keys that of the values. Invariant: so a kernel is written
// once for keys, for pairs and for values.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/moved_arrays.hpp>

#include <iterator>
#include <type_traits>

namespace colonnade::detail {

template <class Key, class Value> struct joined_item {
  Key key;
  Value value;
};

template <class Keys, class Values> struct joined_input {
  using key = typename std::iterator_traits<Keys>::value_type;
  using value = typename std::iterator_traits<Values>::value_type;
  using value_type = joined_item<key, value>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type *;
  using reference = value_type;
  using iterator_category = std::random_access_iterator_tag;

  Keys keys;
  Values values;
  COLONNADE_HOST_DEVICE value_type operator[](difference_type i) const {
    return {keys[i], values[i]};
  }
  COLONNADE_HOST_DEVICE joined_input operator+(difference_type i) const {
    return {keys + i, values + i};
  }
};

template <class Keys, class Values> struct joined_output {
  struct place {
    Keys keys;
    Values values;
    uint64_t index;
    template <class Item> COLONNADE_HOST_DEVICE void operator=(const Item &item) const {
      keys[index] = item.key;
      values[index] = item.value;
    }
  };
  Keys keys;
  Values values;
  COLONNADE_HOST_DEVICE place operator[](uint64_t i) const { return {keys, values, i}; }
  COLONNADE_HOST_DEVICE joined_output operator+(std::ptrdiff_t i) const {
    return {keys + i, values + i};
  }
};

template <class Keys, class Values> auto join_inputs(Keys keys, Values values) {
  if constexpr (std::is_same_v<Values, no_items>)
    return keys;
  else if constexpr (std::is_same_v<Keys, no_items>)
    return values;
  else
    return joined_input<Keys, Values>{keys, values};
}
template <class Keys, class Values> auto join_outputs(Keys keys, Values values) {
  if constexpr (std::is_same_v<Values, nothing>)
    return keys;
  else if constexpr (std::is_same_v<Keys, nothing>)
    return values;
  else
    return joined_output<Keys, Values>{keys, values};
}

/// Arrays in temporary storage for copies of what moves.
template <class Key, class Value> struct spare_arrays {
  static constexpr bool has_keys = !std::is_same_v<Key, nothing>;
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;
  Key *keys;
  Value *values;

  auto keys_in() const {
    if constexpr (has_keys)
      return static_cast<const Key *>(keys);
    else
      return no_items{};
  }
  auto values_in() const {
    if constexpr (has_values)
      return static_cast<const Value *>(values);
    else
      return no_items{};
  }
  auto keys_out() const {
    if constexpr (has_keys)
      return keys;
    else
      return nothing{};
  }
  auto values_out() const {
    if constexpr (has_values)
      return values;
    else
      return nothing{};
  }
};

} // namespace colonnade::detail

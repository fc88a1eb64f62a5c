//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// table_of.hpp: which table holds keys and values of which types.
//
// In: a key and a value type. Out: lsm_table_of. Invariant: both are moved as words of their size.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/lsm/levels.hpp>

namespace colonnade::detail {

template <class Value> using lsm_raw_value = typename word_of_size<sizeof(Value)>::type;

template <class Key, class Value>
using lsm_table_of = lsm_table<typename sorted_as<Key>::raw, lsm_raw_value<Value>,
                               sorted_as<Key>::kind == key_kind::floating>;

template <class Key, class Value> constexpr void check_lsm_types() {
  static_assert(std::is_arithmetic_v<Key> && (sizeof(Key) == 4 || sizeof(Key) == 8),
                "lsm: keys are integers or floats of 32 or 64 bits");
  static_assert(movable<Value> && (sizeof(Value) == 4 || sizeof(Value) == 8),
                "lsm: values are trivially copyable types of 32 or 64 bits");
}
/// What keys' bits are changed by before they are compared: of integers.
template <class Key> constexpr auto lsm_flip() {
  using sorted = sorted_as<Key>;
  return static_cast<typename sorted::raw>(
      sorted::kind == key_kind::floating ? 0 : sorted::flip(false));
}

/// How many levels so many elements need; false if that is too many.
inline bool levels_for(uint64_t num_elements, uint64_t batch_size, uint32_t &levels) {
  if (batch_size == 0 || batch_size >> 32 || too_many(num_elements))
    return false;
  const uint64_t batches = (num_elements + batch_size - 1) / batch_size;
  levels = 1;
  while (batches >> levels)
    ++levels;
  return levels <= most_lsm_levels;
}

} // namespace colonnade::detail

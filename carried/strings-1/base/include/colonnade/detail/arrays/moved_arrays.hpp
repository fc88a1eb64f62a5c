//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// moved_arrays.hpp: the arrays between which a kernel moves items, and iterators that
// stand for what a caller does not pass.
//
// In: iterators over keys and values; no_items where there are no values, `nothing` where an output
// is not wanted. Out: their types and sizes as constants. Invariant: code for what is not there is
// left out at compile time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/nothing.hpp>
#include <colonnade/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace colonnade::detail {

/// Values of a multisplit of keys: never read.
struct no_items {
  using value_type = nothing;
  using difference_type = std::ptrdiff_t;
  using pointer = const nothing *;
  using reference = nothing;
  using iterator_category = std::random_access_iterator_tag;
};

/// 0, 1, 2, ...
template <class Index> struct index_iterator {
  using value_type = Index;
  using difference_type = std::ptrdiff_t;
  using pointer = const Index *;
  using reference = Index;
  using iterator_category = std::random_access_iterator_tag;

  uint64_t first = 0;
  COLONNADE_HOST_DEVICE Index operator[](difference_type i) const {
    return static_cast<Index>(first + static_cast<uint64_t>(i));
  }
  COLONNADE_HOST_DEVICE index_iterator operator+(difference_type i) const {
    return {first + static_cast<uint64_t>(i)};
  }
};

template <class Items> constexpr bool are_computed = false;
template <class Index> inline constexpr bool are_computed<index_iterator<Index>> = true;

/// What most kernels here read and write. Values may be no_items; outputs, nothing.
template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut> struct moved_arrays {
  using key = typename std::iterator_traits<KeysIn>::value_type;
  using value = typename std::iterator_traits<ValuesIn>::value_type;
  static constexpr bool has_values = !std::is_same_v<value, nothing>;
  static constexpr bool writes_keys = !std::is_same_v<KeysOut, nothing>;
  static constexpr size_t item_bytes = sizeof(key) + bytes_of<value>;
  /// Of what the caller passes: a permutation's indices are no input.
  static constexpr size_t input_bytes =
      sizeof(key) + (are_computed<ValuesIn> ? 0 : bytes_of<value>);
  /// Of the wider of the two, for kernels that move one after the other.
  static constexpr size_t wider_bytes = sizeof(key) > bytes_of<value> ? sizeof(key)
                                                                      : bytes_of<value>;

  KeysIn keys_in;
  KeysOut keys_out;
  ValuesIn values_in;
  ValuesOut values_out;
};

} // namespace colonnade::detail

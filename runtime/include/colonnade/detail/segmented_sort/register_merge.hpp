//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// register_merge.hpp: sorts a bitonic sequence that one thread holds: half-cleaners as
// long as the length is even, then what is left is sorted anew.
//
// Source: K. E. Batcher, Sorting networks and their applications (1968); a half-cleaner
// needs an even length, not a power of two.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/network.hpp>

namespace colonnade::detail {

/// For items that compare by themselves.
struct exchange_items {
  template <class Item> COLONNADE_KERNEL_CODE void operator()(Item &low, Item &high, bool) const {
    const Item a = low, b = high;
    const bool exchange = b < a;
    low = exchange ? b : a;
    high = exchange ? a : b;
  }
};

template <uint32_t First, uint32_t Count, uint32_t N, class Item>
COLONNADE_KERNEL_CODE void merge_part(Item (&x)[N]) {
  if constexpr (Count % 2 == 0) {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Count / 2; ++i)
      exchange_items{}(x[First + i], x[First + Count / 2 + i], true);
    merge_part<First, Count / 2>(x);
    merge_part<First + Count / 2, Count / 2>(x);
  } else if constexpr (Count > 1) {
    Item part[Count];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Count; ++i)
      part[i] = x[First + i];
    sort_registers<odd_even_network>(part, exchange_items{});
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < Count; ++i)
      x[First + i] = part[i];
  }
}

/// A rotation of a sequence that rises and then falls.
template <uint32_t N, class Item> COLONNADE_KERNEL_CODE void merge_registers(Item (&x)[N]) {
  merge_part<0, N>(x);
}

} // namespace colonnade::detail

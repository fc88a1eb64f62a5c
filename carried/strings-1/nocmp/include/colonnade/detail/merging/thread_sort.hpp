//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thread_sort.hpp: sorts the items of one thread, in registers.
//
// In: I items, of which the first `count` exist. Out: these, sorted. Stable: odd-even
// transposition sort, whose comparators compare neighbours and leave equal items as they are.
// Unstable: Batcher's odd-even merge sort, with about half as many comparators. Invariant: both
// put the smaller item at the lower place, so comparators that reach item `count` or beyond can
// be left out, and the items there stay as they are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/exchange.hpp>
#include <colonnade/detail/sort_network/network.hpp>

namespace colonnade::detail {

template <class Less> struct exchange_by_order {
  Less less;
  template <class Item>
  COLONNADE_KERNEL_CODE void operator()(Item &low, Item &high, bool active) const {
    exchange_if(active && less(high, low), low, high);
  }
};

template <uint32_t Certain, uint32_t I, class Item, class Exchange>
COLONNADE_KERNEL_CODE void transposition_sort(Item (&items)[I], uint32_t count,
                                              const Exchange &exchange) {
  COLONNADE_UNROLL
  for (uint32_t step = 0; step < I; ++step) {
    COLONNADE_UNROLL
    for (uint32_t i = step % 2; i + 1 < I; i += 2)
      exchange(items[i], items[i + 1], i + 1 < Certain || i + 1 < count);
  }
}

/// Sorts the first `count` items. Comparators within the first Certain items do not check `count`:
/// count >= Certain, or Certain is 1 and all comparators check it.
template <bool Stable, uint32_t Certain, uint32_t I, class Item, class Less>
COLONNADE_KERNEL_CODE void thread_sort(Item (&items)[I], uint32_t count, const Less &less) {
  if constexpr (Stable)
    transposition_sort<Certain>(items, count, exchange_by_order<Less>{less});
  else
    sort_registers<odd_even_network, Certain>(items, count, exchange_by_order<Less>{less});
}

} // namespace colonnade::detail

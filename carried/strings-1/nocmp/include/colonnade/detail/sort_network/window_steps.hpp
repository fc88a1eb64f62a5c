//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// window_steps.hpp: steps of a bitonic network on the bits of a register window.
//
// In: a thread's items, in the order of the window, and which steps to run. Out: the same
// items after these steps. Invariant: comparators that reach an item from `valid` on do nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/sort_network/network.hpp>

namespace colonnade::detail {

template <bool Full, uint32_t Stage, uint32_t Step, uint32_t N, class Item, class Exchange>
COLONNADE_KERNEL_CODE void run_window_step(Item (&items)[N], uint32_t valid,
                                           const Exchange &exchange) {
  if constexpr (!Full)
    valid = computed_anew(valid);
  COLONNADE_UNROLL
  for (uint32_t low = 0; low < N; ++low)
    if (const uint32_t high = bitonic_network::high({Stage, Step}, low); high < N)
      exchange(items[low], items[high], Full || high < valid);
}

template <bool Full, uint32_t Bits, uint32_t N, class Item, class Exchange, uint32_t... Below>
COLONNADE_KERNEL_CODE void run_lower_window_steps(Item (&items)[N], uint32_t first, uint32_t last,
                                                  uint32_t valid, const Exchange &exchange,
                                                  std::integer_sequence<uint32_t, Below...>) {
  ((last < Bits - 1 - Below && Bits - 1 - Below <= first + 1
        ? run_window_step<Full, Bits, Bits - 2 - Below>(items, valid, exchange)
        : void()),
   ...);
}

/// Runs the steps on the register bits first, first - 1, ..., last. In a mirrored window the first
/// of them is a stage's first step, on the highest bit. Full: all N items are in the input; else
/// the first `valid` of them. All threads of a warp run the same steps.
template <bool Full, uint32_t N, class Item, class Exchange>
COLONNADE_KERNEL_CODE void run_window_steps(Item (&items)[N], bool mirrored, uint32_t first,
                                            uint32_t last, uint32_t valid,
                                            const Exchange &exchange) {
  constexpr uint32_t bits = ceil_log2(N);
  static_assert(N == 1u << bits, "a power of two");
  if (mirrored)
    run_window_step<Full, bits - 1, bits - 1>(items, valid, exchange);
  else if (first == bits - 1)
    run_window_step<Full, bits, bits - 1>(items, valid, exchange);
  run_lower_window_steps<Full, bits>(items, first, last, valid, exchange,
                                     std::make_integer_sequence<uint32_t, bits - 1>{});
}

} // namespace colonnade::detail

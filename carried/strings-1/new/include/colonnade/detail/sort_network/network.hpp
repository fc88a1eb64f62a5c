//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// network.hpp: two sorting networks, described once, for kernels and for proofs.
//
//   bitonic_network    without comparators that put the larger item first: a stage's first
//                      step compares mirrored items, all others items a power of two apart
//   odd_even_network   Batcher's odd-even merge sort: the same depth, fewer comparators
//                      (191 instead of 240 for 32 items, 543 instead of 672 for 64)
//
// In: a stage, a step and an item. Out: `Network::high({stage, step}, low)`, the other item of
// the comparator whose lower item is `low`, or no_item. Stage s merges sorted halves of 2^s
// items into 2^(s+1), in the steps s, s-1, ..., 0. `sort_registers` runs a network over items in
// registers; sort_network_test.cpp proves both by the 0-1 principle.
// Invariant: every comparator puts the smaller item first. So a network for n items is that for
// the next power of two, without the comparators that reach item n or beyond: what would be
// there counts as larger than everything and never moves.
//
// Source: K. E. Batcher, Sorting networks and their applications (1968); G. Capannini
// and others, K-model (2010), section V, on bitonic networks as butterflies.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/registers.hpp>

#include <cstdint>
#include <utility>

namespace colonnade::detail {

constexpr uint32_t no_item = ~0u;

constexpr COLONNADE_HOST_DEVICE uint32_t ceil_log2(uint64_t n) {
  uint32_t log2 = 0;
  while (log2 < 64 && uint64_t{1} << log2 < n)
    ++log2;
  return log2;
}

struct network_step {
  uint32_t stage; // merges halves of 2^stage items
  uint32_t step;  // stage, stage - 1, ..., 0
};

/// The number of steps of a network for n items, over all stages.
constexpr COLONNADE_HOST_DEVICE uint32_t num_steps(uint64_t n) {
  const uint32_t stages = ceil_log2(n);
  return stages * (stages + 1) / 2;
}

/// Step `number` of them, counted from 0.
constexpr COLONNADE_HOST_DEVICE network_step step_at(uint32_t number) {
  uint32_t stage = 0;
  while (number > stage)
    number -= ++stage;
  return {stage, stage - number};
}

struct bitonic_network {
  static constexpr COLONNADE_HOST_DEVICE uint32_t high(network_step at, uint32_t low) {
    if (low >> at.step & 1)
      return no_item;
    return at.step == at.stage ? low ^ ((2u << at.stage) - 1) : low + (1u << at.step);
  }
};

struct odd_even_network {
  static constexpr COLONNADE_HOST_DEVICE uint32_t high(network_step at, uint32_t low) {
    const bool first = at.step == at.stage, odd = low >> at.step & 1;
    const uint32_t high = low + (1u << at.step);
    return first != odd && low >> at.stage >> 1 == high >> at.stage >> 1 ? high : no_item;
  }
};

/// Visits (low, high) of every comparator of n items, in order.
template <class Network, class Visit>
constexpr COLONNADE_HOST_DEVICE void for_each_comparator(uint32_t n, Visit visit) {
  for (uint32_t k = 0; k < num_steps(n); ++k)
    for (uint32_t low = 0; low < n; ++low)
      if (const uint32_t high = Network::high(step_at(k), low); high < n)
        visit(low, high);
}

/// One step. Comparators that reach an item from Certain on are active if it is below `length`.
template <class Network, uint32_t Stage, uint32_t Step, uint32_t Certain, uint32_t N, class Item,
          class Exchange>
COLONNADE_KERNEL_CODE void run_register_step(Item (&items)[N], uint32_t length,
                                             const Exchange &exchange) {
  COLONNADE_UNROLL
  for (uint32_t low = 0; low < N; ++low) {
    const uint32_t high = Network::high({Stage, Step}, low);
    if (high < Certain)
      exchange(items[low], items[high], true);
    else if (high < N)
      exchange(items[low], items[high], high < length);
  }
}

template <class Network, uint32_t Certain, uint32_t N, class Item, class Exchange,
          uint32_t... Steps>
COLONNADE_KERNEL_CODE void run_register_steps(Item (&items)[N], [[maybe_unused]] uint32_t length,
                                              const Exchange &exchange,
                                              std::integer_sequence<uint32_t, Steps...>) {
  (run_register_step<Network, step_at(Steps).stage, step_at(Steps).step, Certain>(items, length,
                                                                                  exchange),
   ...);
}

/// Sorts the first `length` of N items that one thread holds; the others stay where they are.
/// Certain <= length <= N: items below Certain are known to be there when this is compiled.
/// exchange(low, high, active): see exchange.hpp.
template <class Network, uint32_t Certain, uint32_t N, class Item, class Exchange>
COLONNADE_KERNEL_CODE void sort_registers(Item (&items)[N], uint32_t length,
                                          const Exchange &exchange) {
  run_register_steps<Network, Certain>(items, length, exchange,
                                       std::make_integer_sequence<uint32_t, num_steps(N)>{});
}

/// Sorts all N items.
template <class Network, uint32_t N, class Item, class Exchange>
COLONNADE_KERNEL_CODE void sort_registers(Item (&items)[N], const Exchange &exchange) {
  sort_registers<Network, N>(items, N, exchange);
}

/// Sorts a bitonic sequence of N items: one that, seen as a circle, rises once and falls once at
/// most. While the length is even, one step makes two bitonic sequences of half the length of it;
/// the odd-length ones that are left are sorted by the odd-even network.
template <uint32_t N, class Item, class Exchange>
COLONNADE_KERNEL_CODE void merge_registers_at(Item *first, const Exchange &exchange) {
  if constexpr (N % 2 == 0) {
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < N / 2; ++i)
      exchange(first[i], first[N / 2 + i], true);
    merge_registers_at<N / 2>(first, exchange);
    merge_registers_at<N / 2>(first + N / 2, exchange);
  } else if constexpr (N > 1) {
    Item items[N];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < N; ++i)
      items[i] = first[i];
    sort_registers<odd_even_network>(items, exchange);
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < N; ++i)
      first[i] = items[i];
  }
}
template <uint32_t N, class Item, class Exchange>
COLONNADE_KERNEL_CODE void merge_registers(Item (&items)[N], const Exchange &exchange) {
  merge_registers_at<N>(items, exchange);
}

} // namespace colonnade::detail

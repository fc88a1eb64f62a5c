//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_keep.hpp: where each of the items that a block keeps goes.
//
// In: of each item whether it is kept: thread t has the items t, t + Threads, ....
// Out: of each item that is kept its place among them. Invariant: they come in the order that they
// had.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>

namespace colonnade::detail {

template <uint32_t Threads, uint32_t Items> struct block_keep_storage {
  uint32_t counts[Threads], scratch[Threads / 32], sum; // of each item and warp
};

template <uint32_t Threads, uint32_t Items, class Machine> class block_keep {
public:
  static constexpr uint32_t warps = Threads / 32;
  static_assert(warps * Items <= Threads);
  using storage = block_keep_storage<Threads, Items>;

  COLONNADE_KERNEL_CODE block_keep(const Machine &machine, storage &s) : machine_(machine), s_(s) {}

  /// By all threads. keeps(k): of a thread's item k; put(place, number): of each item that is kept.
  /// How many are; all have been put then, and the storage is free.
  template <class Keeps, class Put> COLONNADE_KERNEL_CODE uint32_t run(Keeps keeps, Put put) {
    uint32_t ballots[Items];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k) {
      ballots[k] = machine_.ballot(keeps(k));
      if (machine_.lane() == 0)
        s_.counts[k * warps + machine_.warp()] = Machine::count_ones(ballots[k]);
    }
    const uint32_t sum = place_counts();
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Items; ++k)
      if (ballots[k] >> machine_.lane() & 1)
        put(s_.counts[k * warps + machine_.warp()] +
                Machine::count_ones(ballots[k] & ((1u << machine_.lane()) - 1)),
            k * Threads + machine_.thread());
    machine_.block_sync();
    return sum;
  }

private:
  /// Makes of the counts what is before each; their sum.
  COLONNADE_KERNEL_CODE uint32_t place_counts() {
    machine_.block_sync(); // the counts are there
    const uint32_t mine = machine_.thread();
    const uint32_t count = mine < Items * warps ? s_.counts[mine] : 0;
    const uint32_t before = block_exclusive_sum(machine_, count, s_.scratch);
    s_.counts[mine] = before;
    if (mine == Threads - 1)
      s_.sum = before + count;
    machine_.block_sync();
    return s_.sum;
  }

  const Machine &machine_;
  storage &s_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_offsets.hpp: what is before each of many numbers, by one block.
//
// In: any number of numbers. Out: their exclusive sums, and the sum of all. Invariant: called by
// all threads of the block; what it has put is seen by the others after the block's next barrier.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>

namespace colonnade::detail {

template <class T, uint32_t Threads> struct block_offsets_storage {
  T scratch[Threads / 32], last;
};

/// of(k): a number; put(k, sum): the sum of those before it.
template <class T, uint32_t Threads, class Machine, class Of, class Put>
COLONNADE_KERNEL_CODE T block_offsets(const Machine &machine, block_offsets_storage<T, Threads> &s,
                                      uint64_t count, Of of, Put put) {
  T before = 0;
  for (uint64_t begin = 0; begin < count; begin += Threads) {
    const uint64_t mine = begin + machine.thread();
    const T value = mine < count ? of(mine) : T{0};
    const T sum = before + block_exclusive_sum(machine, value, s.scratch);
    if (mine < count)
      put(mine, sum);
    if (machine.thread() == Threads - 1)
      s.last = sum + value;
    machine.block_sync();
    before = s.last;
    machine.block_sync(); // the storage is free
  }
  return before;
}

} // namespace colonnade::detail

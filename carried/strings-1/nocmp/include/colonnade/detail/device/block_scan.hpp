//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// block_scan.hpp: prefix sums over a warp or a block of one number in each thread.
//
// In: a number in each thread. Out: the sum of those of the lanes up to this one (inclusive), or of
// the threads before this one (exclusive). Invariant: called by all threads of the warp or block.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

template <class T, class Machine>
COLONNADE_KERNEL_CODE T warp_inclusive_sum(const Machine &machine, T value) {
  COLONNADE_UNROLL
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const T below = machine.shuffle_up(value, distance);
    if (machine.lane() >= distance)
      value += below;
  }
  return value;
}

/// Over all threads. scratch: one T for each warp, in shared memory; free before, and again after a
/// block_sync. Contains one block_sync.
template <class T, class Machine>
COLONNADE_KERNEL_CODE T block_exclusive_sum(const Machine &machine, T value, T *scratch) {
  const T inclusive = warp_inclusive_sum(machine, value);
  if (machine.lane() == 31)
    scratch[machine.warp()] = inclusive;
  machine.block_sync();
  T before = inclusive - value;
  for (uint32_t w = 0; w < machine.warp(); ++w)
    before += scratch[w];
  return before;
}

} // namespace colonnade::detail

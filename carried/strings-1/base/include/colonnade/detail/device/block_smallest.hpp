//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_smallest.hpp: the smallest of a block's numbers.
//
// In: a number in every thread. Out: the smallest, in every thread. Invariant: called by all
// threads of the block; the words of shared memory are free after the block's next barrier.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

/// scratch: one word a warp.
template <class Machine>
COLONNADE_KERNEL_CODE uint64_t block_smallest(const Machine &machine, uint64_t value,
                                              uint64_t *scratch) {
  COLONNADE_UNROLL
  for (uint32_t mask = 1; mask < 32; mask *= 2) {
    const uint64_t other = machine.shuffle_xor(value, mask);
    value = other < value ? other : value;
  }
  if (machine.lane() == 0)
    scratch[machine.warp()] = value;
  machine.block_sync();
  for (uint32_t w = 0; w < machine.num_threads() / 32; ++w)
    value = scratch[w] < value ? scratch[w] : value;
  return value;
}

} // namespace colonnade::detail

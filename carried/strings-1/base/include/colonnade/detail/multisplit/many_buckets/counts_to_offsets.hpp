//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// counts_to_offsets.hpp: turns the sizes of buckets into the places where they begin, in place.
//
// In: counts of num_buckets buckets (and maybe of more, which are left out). Out: num_buckets + 1
// offsets, the exclusive prefix sums. Invariant: one block reads every count before it is
// overwritten.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>

namespace colonnade::detail {

struct counts_to_offsets_arguments {
  const uint64_t *counts;
  uint32_t num_buckets;
  uint64_t *offsets;
};

/// `scratch`: one uint64_t a warp, in shared memory.
template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void
counts_to_offsets(const Machine &machine, const counts_to_offsets_arguments &a, uint64_t *scratch) {
  uint64_t before = 0;
  for (uint64_t first = 0; first < a.num_buckets; first += Threads) {
    const uint64_t b = first + machine.thread();
    const uint64_t count = b < a.num_buckets ? a.counts[b] : 0;
    const uint64_t start = before + block_exclusive_sum(machine, count, scratch);
    if (b < a.num_buckets)
      a.offsets[b] = start;
    if (b == a.num_buckets - 1)
      a.offsets[b + 1] = start + count;
    for (uint32_t w = 0; w < Threads / 32; ++w)
      before += scratch[w];
    machine.block_sync(); // scratch is free again
  }
}

} // namespace colonnade::detail

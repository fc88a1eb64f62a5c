//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_counters.hpp: what the histogram passes have in common: a block's counters in
// shared memory, several copies of each, which end as sums in global memory.
//
// In: global counts and `done` zero. Out: after all blocks have added theirs, one of
// them is the last, and sees the counts of all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

template <uint32_t Threads, class Machine> class block_counters {
public:
  /// Bytes of shared memory: a prefix sum's room, a word, and the counters.
  static constexpr size_t bytes(size_t num_counters) {
    return sizeof(uint64_t) * Threads / 32 + (4 + num_counters) * sizeof(uint32_t);
  }

  COLONNADE_KERNEL_CODE block_counters(const Machine &machine, void *shared)
      : machine_(machine), scratch_(static_cast<uint64_t *>(shared)),
        last_block_(reinterpret_cast<uint32_t *>(scratch_ + Threads / 32)),
        counters_(last_block_ + 4) {}

  COLONNADE_KERNEL_CODE void clear(uint32_t num_counters) const {
    for (uint32_t i = machine_.thread(); i < num_counters; i += Threads)
      counters_[i] = 0;
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE void count(uint32_t counter) const {
    machine_.add_shared(counters_ + counter, 1);
  }
  /// Copy c of number i is counter i * copies + c. Ends with a barrier of the block.
  COLONNADE_KERNEL_CODE void add_to(uint64_t *counts, uint32_t num_counts, uint32_t copies) const {
    for (uint32_t i = machine_.thread(); i < num_counts; i += Threads) {
      uint32_t sum = 0;
      for (uint32_t c = 0; c < copies; ++c) // every lane begins in its own bank
        sum += counters_[i * copies + (c + machine_.lane()) % copies];
      if (sum)
        machine_.add_global(counts + i, sum);
    }
    machine_.device_fence(); // the counts before `done`
    machine_.block_sync();
  }
  COLONNADE_KERNEL_CODE bool is_last_block(uint32_t *done) const {
    if (machine_.thread() == 0)
      *last_block_ = machine_.take_ticket(done) == machine_.num_blocks() - 1;
    machine_.block_sync();
    const bool last = *last_block_;
    if (last)
      machine_.device_fence(); // `done` before the counts
    return last;
  }
  /// One number a warp.
  COLONNADE_KERNEL_CODE uint64_t *scratch() const { return scratch_; }

private:
  const Machine &machine_;
  uint64_t *scratch_;
  uint32_t *last_block_;
  uint32_t *counters_;
};

/// All blocks together.
template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void zero_words(const Machine &machine, uint32_t *words, uint64_t num_words) {
  const uint64_t step = uint64_t{Threads} * machine.num_blocks();
  for (uint64_t i = uint64_t{machine.block()} * Threads + machine.thread(); i < num_words;
       i += step)
    words[i] = 0;
}

} // namespace colonnade::detail

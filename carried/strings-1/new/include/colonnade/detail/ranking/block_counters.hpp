//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_counters.hpp: the counters of a block in shared memory, several copies of each, for the
// histogram passes.
//
// In: items to count; the counts in global memory and `done` are zero. Out: the sums of all blocks'
// counters in global memory. Invariant: is_last_block is true in exactly one block, and that block
// sees the counts of all blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::detail {

template <uint32_t Threads, class Machine> class block_counters {
public:
  /// Bytes of shared memory: scratch of a prefix sum, a flag, and the counters.
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
  /// Adds the counters to counts: copy c of count i is counter i * copies + c. Ends with a barrier
  /// of the block.
  COLONNADE_KERNEL_CODE void add_to(uint64_t *counts, uint32_t num_counts, uint32_t copies) const {
    for (uint32_t i = machine_.thread(); i < num_counts; i += Threads) {
      uint32_t sum = 0;
      for (uint32_t c = 0; c < copies; ++c) // lanes begin with different banks
        sum += counters_[i * copies + (c + machine_.lane()) % copies];
      if (sum)
        machine_.add_global(counts + i, sum);
    }
    machine_.device_fence(); // the counts before `done`
    machine_.block_sync();
  }
  /// Whether all other blocks have called this before. Called by all threads, after add_to.
  COLONNADE_KERNEL_CODE bool is_last_block(uint32_t *done) const {
    if (machine_.thread() == 0)
      *last_block_ = machine_.take_ticket(done) == machine_.num_blocks() - 1;
    machine_.block_sync();
    const bool last = *last_block_;
    if (last)
      machine_.device_fence(); // `done` before the counts
    return last;
  }
  /// Scratch memory of one number for each warp.
  COLONNADE_KERNEL_CODE uint64_t *scratch() const { return scratch_; }

private:
  const Machine &machine_;
  uint64_t *scratch_;
  uint32_t *last_block_;
  uint32_t *counters_;
};

/// Zeroes the words; all blocks of the grid share the work.
template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void zero_words(const Machine &machine, uint32_t *words, uint64_t num_words) {
  const uint64_t step = uint64_t{Threads} * machine.num_blocks();
  for (uint64_t i = uint64_t{machine.block()} * Threads + machine.thread(); i < num_words;
       i += step)
    words[i] = 0;
}

} // namespace colonnade::detail

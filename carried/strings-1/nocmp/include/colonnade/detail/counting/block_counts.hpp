//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_counts.hpp: the histogram of few samples by one block, or by a team of them (a
// cluster), in one launch.
//
// In: samples, and bins as in bins.hpp; the kernel before this one may still run. Out: counts,
// each written once; they need not be zero before. A block counts in shared memory, with up to 32
// copies of every counter, so that lanes with equal samples do not wait for each other; the blocks
// of a team share out the bins, and each writes what it counted into the shared memory of the block
// that adds a bin up. Invariant: every sample whose bin is below num_bins is counted once. Teams
// have 2^k blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/counting/bins.hpp>

#include <cstddef>
#include <iterator>

namespace colonnade::detail {

template <class SamplesIn, class Bins> struct block_counts_arguments {
  SamplesIn samples;
  Bins bins;
  uint32_t num_samples;
  uint32_t num_bins;
  uint32_t log2_copies; // of the counters
  uint32_t table_bytes; // of shared memory, before the counters
  uint64_t *counts;
};

template <class SamplesIn, class Bins, class Machine> class block_counts {
public:
  using arguments = block_counts_arguments<SamplesIn, Bins>;
  using sample = typename std::iterator_traits<SamplesIn>::value_type;
  static constexpr uint32_t at_once = 8; // samples that a thread has in flight

  static size_t shared_bytes(const arguments &a, uint32_t team) {
    const size_t sums = team > 1 ? size_t{own_bins(a.num_bins, team)} * team : 0;
    return a.table_bytes + ((size_t{a.num_bins} << a.log2_copies) + sums) * sizeof(uint32_t);
  }

  COLONNADE_KERNEL_CODE block_counts(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), table_(shared),
        counters_(reinterpret_cast<uint32_t *>(shared + a.table_bytes)) {}

  COLONNADE_KERNEL_CODE void run() {
    const bool together = machine_.team_size() > 1;
    if (together)
      machine_.team_arrive();
    for (uint32_t i = machine_.thread(); i < num_counters(); i += machine_.num_threads())
      counters_[i] = 0;
    machine_.wait_for_previous_kernel();
    a_.bins.fill(machine_, table_);
    machine_.block_sync();
    count();
    machine_.block_sync();
    if (!together)
      return add_copies([&](uint32_t b, uint32_t sum) { a_.counts[b] = sum; });
    machine_.team_wait(); // all blocks have started
    add_copies([&](uint32_t b, uint32_t sum) { hand_over(b, sum); });
    machine_.team_arrive();
    machine_.team_wait();
    add_blocks();
  }

private:
  COLONNADE_KERNEL_CODE uint32_t num_counters() const { return a_.num_bins << a_.log2_copies; }
  COLONNADE_KERNEL_CODE void count() {
    const uint32_t copy = machine_.lane() & ((1u << a_.log2_copies) - 1);
    const uint32_t before = machine_.team_rank() * machine_.num_threads();
    const uint32_t step = machine_.team_size() * machine_.num_threads();
    for (uint32_t first = before + machine_.thread(); first < a_.num_samples;
         first += at_once * step) {
      sample samples[at_once];
      uint64_t index[at_once];
      uint32_t bins[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k) {
        index[k] = first + k * step;
        samples[k] =
            a_.samples[static_cast<std::ptrdiff_t>(index[k] < a_.num_samples ? index[k] : first)];
      }
      a_.bins.template find<true>(table_, samples, index, bins);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k)
        if (bins[k] < a_.num_bins && index[k] < a_.num_samples)
          machine_.add_shared(counters_ + (bins[k] << a_.log2_copies | copy), 1);
    }
  }
  /// use(bin, sum).
  template <class Use> COLONNADE_KERNEL_CODE void add_copies(const Use &use) {
    const uint32_t copies = 1u << a_.log2_copies;
    for (uint32_t b = machine_.thread(); b < a_.num_bins; b += machine_.num_threads()) {
      uint32_t sum = 0;
      for (uint32_t c = 0; c < copies; ++c) // lanes begin with different banks
        sum += counters_[b << a_.log2_copies | ((c + machine_.lane()) & (copies - 1))];
      use(b, sum);
    }
  }

  /// Of a team: a block adds up every so many-th bin; at most so many.
  static COLONNADE_HOST_DEVICE uint32_t own_bins(uint32_t num_bins, uint32_t team) {
    return (num_bins + team - 1) / team;
  }
  /// What each block of the team counted of this block's own bins, written by it.
  COLONNADE_KERNEL_CODE uint32_t *sums_of(uint32_t block) const {
    return counters_ + num_counters() + block * own_bins(a_.num_bins, machine_.team_size());
  }
  COLONNADE_KERNEL_CODE void hand_over(uint32_t b, uint32_t sum) const {
    const uint32_t team = machine_.team_size();
    uint32_t *mine = sums_of(machine_.team_rank());
    machine_.of_teammate(mine, b & (team - 1))[b >> Machine::first_one(team)] = sum;
  }
  COLONNADE_KERNEL_CODE void add_blocks() const {
    const uint32_t team = machine_.team_size(), log2_team = Machine::first_one(team);
    for (uint32_t i = machine_.thread();; i += machine_.num_threads()) {
      const uint32_t b = i << log2_team | machine_.team_rank();
      if (b >= a_.num_bins)
        return;
      uint32_t sum = 0;
      for (uint32_t r = 0; r < team; ++r)
        sum += sums_of(r)[i];
      a_.counts[b] = sum;
    }
  }

  const Machine &machine_;
  const arguments &a_;
  char *table_;
  uint32_t *counters_;
};

} // namespace colonnade::detail

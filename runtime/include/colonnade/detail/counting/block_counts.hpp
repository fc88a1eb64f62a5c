//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_counts.hpp: the histogram of few samples by one block, in one launch.
//
// In: samples, and bins as in bins.hpp. Out: counts, each written once; they need not be zero
// before. The block counts in shared memory, with up to 32 copies of every counter, so that lanes
// with equal samples do not wait for each other. Invariant: every sample whose bin is below
// num_bins is counted once.
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

  COLONNADE_KERNEL_CODE block_counts(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), table_(shared),
        counters_(reinterpret_cast<uint32_t *>(shared + a.table_bytes)) {}

  COLONNADE_KERNEL_CODE void run() {
    a_.bins.fill(machine_, table_);
    for (uint32_t i = machine_.thread(); i < a_.num_bins << a_.log2_copies;
         i += machine_.num_threads())
      counters_[i] = 0;
    machine_.block_sync();
    count();
    machine_.block_sync();
    add_copies();
  }

private:
  COLONNADE_KERNEL_CODE void count() {
    const uint32_t copy = machine_.lane() & ((1u << a_.log2_copies) - 1);
    for (uint32_t first = machine_.thread(); first < a_.num_samples;
         first += at_once * machine_.num_threads()) {
      sample samples[at_once];
      uint64_t index[at_once];
      uint32_t bins[at_once];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < at_once; ++k) {
        index[k] = first + k * machine_.num_threads();
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
  COLONNADE_KERNEL_CODE void add_copies() {
    const uint32_t copies = 1u << a_.log2_copies;
    for (uint32_t b = machine_.thread(); b < a_.num_bins; b += machine_.num_threads()) {
      uint32_t sum = 0;
      for (uint32_t c = 0; c < copies; ++c) // lanes begin with different banks
        sum += counters_[b << a_.log2_copies | ((c + machine_.lane()) & (copies - 1))];
      a_.counts[b] = sum;
    }
  }

  const Machine &machine_;
  const arguments &a_;
  char *table_;
  uint32_t *counters_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bin_counts.hpp: how many samples fall into each bin, one pass.
//
//   registers   up to 8 bins: a byte each in one 64-bit register, added to eight
//               32-bit ones before a byte can overflow; no atomics until the end
//   shared      counters in shared memory, up to 32 copies of each, so that equal
//               samples in a warp do not wait for each other
//   global      more bins than fit: atomics in global memory; where all samples of a
//               warp fall into one bin they are one number, which is kept until
//               another such bin comes
//
// In: counts zero. Out: counts, 64 bits each. Samples whose bin is not below
// num_bins are not counted. A block counts fewer than 2^32 samples.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/histogram/bins.hpp>
#include <colonnade/detail/multisplit/bucket_id.hpp>
#include <colonnade/detail/multisplit/chunk.hpp>
#include <colonnade/histogram_tuning.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

enum class count_in { registers, shared, global };
constexpr uint32_t max_register_bins = 8;

/// Count: uint64_t or item_count.
template <class SamplesIn, class Bins, class Count = uint64_t> struct bin_counts_arguments {
  SamplesIn samples;
  Bins bins;
  Count num_samples;
  uint32_t num_bins;
  uint32_t log2_copies; // of the counters in shared memory
  uint32_t table_bytes; // of shared memory, in front of the counters
  uint64_t *counts;
  device_status *status;
};

template <class Tuning, count_in Where, class SamplesIn, class Bins, class Machine,
          class Count = uint64_t>
class bin_counts_block {
public:
  using arguments = bin_counts_arguments<SamplesIn, Bins, Count>;
  using sample = typename std::iterator_traits<SamplesIn>::value_type;
  static constexpr uint32_t threads = Tuning::value.threads;
  static constexpr uint32_t loads =
      Tuning::value.items * sizeof(sample) < 16 ? 1 : Tuning::value.items * sizeof(sample) / 16;
  using chunk = input_chunk<SamplesIn, threads, loads>;
  static_assert(chunk::items < 256, "a byte counts the samples of a chunk");

  COLONNADE_KERNEL_CODE bin_counts_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), table_(shared),
        counters_(reinterpret_cast<uint32_t *>(shared + a.table_bytes)) {}

  COLONNADE_KERNEL_CODE void run() {
    a_.bins.fill(machine_, table_);
    if constexpr (Where == count_in::shared)
      for (uint32_t i = machine_.thread(); i < a_.num_bins << a_.log2_copies; i += threads)
        counters_[i] = 0;
    machine_.block_sync();
    count_input();
    if constexpr (Where == count_in::shared) {
      machine_.block_sync();
      add_shared_to_global();
    }
    if constexpr (Where == count_in::registers)
      add_registers_to_global();
    if constexpr (Where == count_in::global)
      add_run_to_global();
  }

private:
  COLONNADE_KERNEL_CODE void count_input() {
    const chunk whole(a_.samples, items_now(a_.num_samples));
    report_count(machine_, a_.num_samples, a_.status);
    for (uint64_t c = machine_.block(); c < whole.num_chunks; c += machine_.num_blocks()) {
      sample samples[chunk::items];
      uint64_t index[chunk::items];
      whole.load(c, machine_.thread(), samples);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < chunk::items; ++k)
        index[k] = whole.index_of(c, machine_.thread(), k);
      take<true>(samples, index);
    }
    if (machine_.block() == machine_.num_blocks() - 1)
      whole.for_each_outside(machine_.thread(), [&](uint64_t i) {
        const sample samples[1] = {a_.samples[static_cast<std::ptrdiff_t>(i)]};
        const uint64_t index[1] = {i};
        take<false>(samples, index);
      });
  }

  /// Together: all lanes of the warp are here.
  template <bool Together, uint32_t N>
  COLONNADE_KERNEL_CODE void take(const sample (&samples)[N], const uint64_t (&index)[N]) {
    uint32_t bins[N];
    a_.bins.find(table_, samples, index, bins);
    uint64_t packed = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k) {
      a_.bins.report(machine_, samples[k], index[k], a_.status);
      if constexpr (Where == count_in::registers)
        packed += bins[k] < a_.num_bins ? uint64_t{1} << (8 * bins[k]) : 0;
      else if constexpr (Where == count_in::shared)
        count_in_shared(bins[k]);
      else
        count_in_global<Together>(bins[k]);
    }
    if constexpr (Where == count_in::registers)
      COLONNADE_UNROLL
      for (uint32_t b = 0; b < max_register_bins; ++b)
        registers_[b] += static_cast<uint32_t>(packed >> (8 * b)) & 0xff;
  }
  COLONNADE_KERNEL_CODE void count_in_shared(uint32_t bin) {
    const uint32_t copy = machine_.lane() & ((1u << a_.log2_copies) - 1);
    if (bin < a_.num_bins)
      machine_.add_shared(counters_ + (bin << a_.log2_copies | copy), 1);
  }
  template <bool Together> COLONNADE_KERNEL_CODE void count_in_global(uint32_t bin) {
    if constexpr (Together) {
      const uint32_t first = machine_.shuffle(bin, 0);
      if (machine_.ballot(bin != first) == 0)
        return lengthen_run(first);
    }
    if (bin < a_.num_bins)
      machine_.add_global(a_.counts + bin, 1);
  }
  /// The same in all lanes.
  COLONNADE_KERNEL_CODE void lengthen_run(uint32_t bin) {
    if (bin != run_bin_)
      add_run_to_global();
    run_length_ = bin == run_bin_ ? run_length_ + 32 : 32;
    run_bin_ = bin;
  }
  COLONNADE_KERNEL_CODE void add_run_to_global() {
    if (run_bin_ < a_.num_bins && machine_.lane() == 0)
      machine_.add_global(a_.counts + run_bin_, run_length_);
  }

  COLONNADE_KERNEL_CODE void add_shared_to_global() {
    const uint32_t copies = 1u << a_.log2_copies;
    for (uint32_t b = machine_.thread(); b < a_.num_bins; b += threads) {
      uint32_t sum = 0;
      for (uint32_t c = 0; c < copies; ++c) // every lane begins in its own bank
        sum += counters_[(b << a_.log2_copies) | ((c + machine_.lane()) & (copies - 1))];
      if (sum)
        machine_.add_global(a_.counts + b, sum);
    }
  }
  COLONNADE_KERNEL_CODE void add_registers_to_global() {
    COLONNADE_UNROLL
    for (uint32_t b = 0; b < max_register_bins; ++b) {
      uint32_t sum = registers_[b];
      COLONNADE_UNROLL
      for (uint32_t mask = 16; mask > 0; mask /= 2)
        sum += machine_.shuffle_xor(sum, mask);
      if (machine_.lane() == 0 && sum)
        machine_.add_global(a_.counts + b, sum);
    }
  }

  const Machine &machine_;
  const arguments &a_;
  char *table_;
  uint32_t *counters_;
  uint32_t registers_[max_register_bins] = {};
  uint32_t run_bin_ = no_bin, run_length_ = 0; // samples in one bin, not yet added
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bin_counts.hpp: counts how many samples fall into each bin, in one pass over the samples.
//
//   registers   up to 8 bins: every thread counts in registers (few_counts.hpp); atomics only
//               at the end, one for each bin and block
//   shared      counters in shared memory, up to 32 copies of each, so that lanes with equal
//               samples do not wait for each other. For byte_bins the counters are those of the
//               256 values; at the end they are added to the counters of the bins, which follow
//   global      more bins than fit: atomics in global memory. Where all samples of a warp fall
//               into the same bin their number is kept until a warp has another such bin
//
// In: samples; counts and ticket zero. Out: counts, 64 bits each. Invariant: every sample whose
// bin is below num_bins is counted once; a block counts fewer than 2^32 samples.
//
// The first chunks of samples are assigned to blocks in turn; the last ones, one of every
// `shared_out`, are taken by whichever block comes first, because SMs do not read equally fast.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/input_chunk.hpp>
#include <colonnade/detail/counting/bins.hpp>
#include <colonnade/detail/counting/few_counts.hpp>
#include <colonnade/histogram_tuning.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

enum class count_in { registers, shared, global };

/// Bytes of shared memory before the table.
constexpr uint32_t bin_counts_head_bytes = 16;

/// Count: uint64_t or item_count.
template <class SamplesIn, class Bins, class Count = uint64_t> struct bin_counts_arguments {
  SamplesIn samples;
  Bins bins;
  Count num_samples;
  uint32_t num_bins;
  uint32_t log2_copies; // of the counters of count_in::shared
  uint32_t table_bytes; // of shared memory, before the counters
  uint64_t *counts;
  uint64_t *ticket; // how many of the last chunks have been taken
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
  static_assert(chunk::items <= few_counts::max_bytes, "a byte counts the samples of a chunk");
  static constexpr uint32_t shared_out = 8;
  /// Samples whose bins are found at once.
  static constexpr uint32_t together = chunk::items < 8 ? chunk::items : 8;

  COLONNADE_KERNEL_CODE bin_counts_block(const Machine &machine, const arguments &a, char *shared)
      : machine_(machine), a_(a), table_(shared + bin_counts_head_bytes),
        counters_(reinterpret_cast<uint32_t *>(table_ + a.table_bytes)),
        next_chunk_(reinterpret_cast<uint64_t *>(shared)) {}

  /// `counts` and the ticket are zeroed by the kernel before, which may still run.
  COLONNADE_KERNEL_CODE void run() {
    a_.bins.fill(machine_, table_);
    if constexpr (Where != count_in::global)
      for (uint32_t i = machine_.thread(); i < num_counters() + num_results(); i += threads)
        counters_[i] = 0;
    else
      machine_.wait_for_previous_kernel();
    machine_.block_sync();
    count_input();
    if constexpr (Where == count_in::registers)
      add_registers_to_shared();
    if constexpr (Where != count_in::global) {
      machine_.block_sync();
      machine_.wait_for_previous_kernel();
      add_shared_to_global();
    } else {
      add_run_to_global();
    }
  }

private:
  COLONNADE_KERNEL_CODE uint32_t log2_copies() const {
    return Where == count_in::shared ? a_.log2_copies : 0;
  }
  COLONNADE_KERNEL_CODE uint32_t num_counters() const { return a_.num_bins << log2_copies(); }
  COLONNADE_KERNEL_CODE uint32_t num_results() const {
    if constexpr (Bins::by_value)
      return a_.bins.num_bins;
    return 0;
  }
  COLONNADE_KERNEL_CODE void count_input() {
    const chunk whole(a_.samples, items_now(a_.num_samples));
    report_count(machine_, a_.num_samples, a_.status);
    const uint64_t each = whole.num_chunks / machine_.num_blocks();
    const uint64_t in_turn =
        each < shared_out ? whole.num_chunks : (each - each / shared_out) * machine_.num_blocks();
    for (uint64_t c = machine_.block(); c < in_turn; c += machine_.num_blocks())
      count_chunk(whole, c);
    count_outside(whole);
    if (in_turn == whole.num_chunks)
      return;
    machine_.wait_for_previous_kernel();
    uint64_t next = machine_.thread() == 0 ? machine_.take_global(a_.ticket, 1) : 0;
    for (uint32_t parity = 0;; parity ^= 1) {
      if (machine_.thread() == 0)
        next_chunk_[parity] = in_turn + next;
      machine_.block_sync();
      const uint64_t c = next_chunk_[parity];
      if (c >= whole.num_chunks)
        return;
      if (machine_.thread() == 0)
        next = machine_.take_global(a_.ticket, 1);
      count_chunk(whole, c);
    }
  }
  COLONNADE_KERNEL_CODE void count_chunk(const chunk &whole, uint64_t c) {
    sample loaded[chunk::items];
    whole.load(c, machine_.thread(), loaded);
    COLONNADE_UNROLL
    for (uint32_t first = 0; first < chunk::items; first += together) {
      sample samples[together];
      uint64_t index[together];
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < together; ++k) {
        samples[k] = loaded[first + k];
        index[k] = whole.index_of(c, machine_.thread(), first + k);
      }
      take<true>(samples, index);
    }
    if constexpr (Where == count_in::registers)
      few_.bytes_to_totals();
  }
  /// The samples that are in no chunk: a few for each thread of the grid. The last blocks count
  /// the first of them, since the first blocks have chunks of a small input.
  COLONNADE_KERNEL_CODE void count_outside(const chunk &whole) {
    const uint64_t in_chunks = whole.num_chunks * chunk::items_per_chunk;
    const uint64_t from_last = machine_.num_blocks() - 1 - machine_.block();
    for (uint64_t k = from_last * threads + machine_.thread(); k < whole.num_items - in_chunks;
         k += uint64_t{machine_.num_blocks()} * threads) {
      const uint64_t index[1] = {k < whole.first ? k : k + in_chunks};
      const sample samples[1] = {a_.samples[static_cast<std::ptrdiff_t>(index[0])]};
      take<false>(samples, index);
      if constexpr (Where == count_in::registers)
        few_.bytes_to_totals();
    }
  }

  /// Together: called by all lanes of the warp.
  template <bool Together, uint32_t N>
  COLONNADE_KERNEL_CODE void take(const sample (&samples)[N], const uint64_t (&index)[N]) {
    uint32_t bins[N];
    a_.bins.template find<Where != count_in::global>(table_, samples, index, bins);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k) {
      a_.bins.report(machine_, samples[k], index[k], a_.status);
      if constexpr (Where == count_in::registers) {
        few_.count(bins[k]);
        if (k % 8 == 7 || k == N - 1)
          few_.nibbles_to_bytes();
      } else if constexpr (Where == count_in::shared) {
        count_in_shared(bins[k]);
      } else {
        count_in_global<Together>(bins[k]);
      }
    }
  }
  COLONNADE_KERNEL_CODE void count_in_shared(uint32_t bin) {
    const uint32_t copy = machine_.lane() & ((1u << log2_copies()) - 1);
    if (Bins::by_value || bin < a_.num_bins)
      machine_.add_shared(counters_ + (bin << log2_copies() | copy), 1);
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
  /// 32 more samples in `bin`, which is the same in all lanes.
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
    const uint32_t copies = 1u << log2_copies();
    uint32_t *results = counters_ + num_counters();
    for (uint32_t b = machine_.thread(); b < a_.num_bins; b += threads) {
      uint32_t sum = 0;
      for (uint32_t c = 0; c < copies; ++c) // lanes begin with different banks
        sum += counters_[(b << log2_copies()) | ((c + machine_.lane()) & (copies - 1))];
      if constexpr (Bins::by_value) {
        if (const uint32_t bin = sum ? a_.bins.bin_of_value(table_, b) : no_bin;
            bin < num_results())
          machine_.add_shared(results + bin, sum);
      } else if (sum) {
        machine_.add_global(a_.counts + b, sum);
      }
    }
    if constexpr (Bins::by_value) {
      machine_.block_sync();
      for (uint32_t b = machine_.thread(); b < num_results(); b += threads)
        if (results[b])
          machine_.add_global(a_.counts + b, results[b]);
    }
  }
  COLONNADE_KERNEL_CODE void add_registers_to_shared() {
    COLONNADE_UNROLL
    for (uint32_t b = 0; b < max_register_bins; ++b) {
      uint32_t sum = few_.total(b);
      COLONNADE_UNROLL
      for (uint32_t mask = 16; mask > 0; mask /= 2)
        sum += machine_.shuffle_xor(sum, mask);
      if (machine_.lane() == 0 && b < a_.num_bins)
        machine_.add_shared(counters_ + b, sum);
    }
  }

  const Machine &machine_;
  const arguments &a_;
  char *table_;
  uint32_t *counters_;
  uint64_t *next_chunk_; // two
  few_counts few_;
  uint32_t run_bin_ = no_bin, run_length_ = 0; // samples in one bin, not yet added
};

} // namespace colonnade::detail

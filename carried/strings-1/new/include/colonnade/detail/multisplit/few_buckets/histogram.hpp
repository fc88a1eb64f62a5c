//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// histogram.hpp: the first pass of a multisplit: how many items each bucket gets.
//
// Every block counts chunks of the input in shared memory, with `copies` counters
// a bucket so that neither skewed nor uniform ids meet in a bank, and adds its
// counts to global ones. The last block to finish turns them into offsets. On the
// way the grid empties the look-back words of the scatter pass.
//
// In: counts and `done` zero. Out: base[b] = items in buckets below b; the user's
// offsets; the first bucket id out of range in the status.
// Invariant: the sums do not depend on the order in which blocks run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/input_chunk.hpp>
#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/ranking/block_counters.hpp>
#include <colonnade/detail/ranking/bucket_id.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

template <class KeysIn, class Ids> struct histogram_arguments {
  KeysIn keys_in;
  Ids ids;
  item_count num_items;
  uint64_t *counts;        // ids.count() of them
  uint64_t *base;          // as many; null: not wanted
  uint64_t *offsets;       // the user's, num_buckets + 1; null: not wanted
  uint32_t *done;          // blocks that have added their counts
  uint32_t *words_to_zero; // for the scatter pass
  uint64_t num_words_to_zero;
  device_status *status; // null: not reported
};

template <class Tuning, class KeysIn, class Ids, class Machine> class histogram_block {
public:
  using arguments = histogram_arguments<KeysIn, Ids>;
  static constexpr uint32_t threads = Tuning::value.histogram_threads;
  static constexpr uint32_t copies = Tuning::value.histogram_copies;
  using chunk = input_chunk<KeysIn, threads, Tuning::value.histogram_loads>;
  using key = typename chunk::item;
  using counters = block_counters<threads, Machine>;

  static constexpr size_t shared_bytes(uint32_t num_ids) {
    return counters::bytes(size_t{num_ids} * copies);
  }

  COLONNADE_KERNEL_CODE histogram_block(const Machine &machine, const arguments &a, void *shared)
      : machine_(machine), a_(a), counters_(machine, shared) {}

  COLONNADE_KERNEL_CODE void run() {
    counters_.clear(a_.ids.count() * copies);
    count_input();
    zero_words<threads>(machine_, a_.words_to_zero, a_.num_words_to_zero);
    machine_.let_next_kernel_start();
    machine_.block_sync();
    counters_.add_to(a_.counts, a_.ids.count(), copies);
    if (counters_.is_last_block(a_.done))
      write_offsets();
  }

private:
  COLONNADE_KERNEL_CODE void count_input() {
    const chunk whole(a_.keys_in, a_.num_items.now());
    for (uint64_t c = machine_.block(); c < whole.num_chunks; c += machine_.num_blocks()) {
      const uint64_t index = Tuning::value.from_the_end ? whole.num_chunks - 1 - c : c;
      key keys[chunk::items];
      whole.load(index, machine_.thread(), keys);
      uint32_t worst = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < chunk::items; ++k)
        worst |= count(keys[k], whole.index_of(index, machine_.thread(), k));
      if (worst && a_.status)
        report_chunk(machine_, a_.ids, whole, index, a_.keys_in, a_.status);
    }
    report_count(machine_, a_.num_items, a_.status);
    if (machine_.block() == machine_.num_blocks() - 1)
      whole.for_each_outside(machine_.thread(), [&](uint64_t index) {
        const key k = a_.keys_in[index];
        if (count(k, index) && a_.status)
          report_bad_id(machine_, a_.ids, k, index, a_.status);
      });
  }
  /// Whether the id is out of range.
  COLONNADE_KERNEL_CODE bool count(const key &k, uint64_t index) {
    const uint32_t raw = a_.ids.raw(k, index);
    counters_.count(a_.ids.safe(raw) * copies + machine_.lane() % copies);
    return !a_.ids.in_range(raw);
  }
  COLONNADE_KERNEL_CODE void write_offsets() {
    uint64_t *scratch = counters_.scratch();
    uint64_t before = 0;
    for (uint32_t first = 0; first < a_.ids.count(); first += threads) {
      const uint32_t b = first + machine_.thread();
      const uint64_t count = b < a_.ids.count() ? machine_.load_counter(a_.counts + b) : 0;
      const uint64_t start = before + block_exclusive_sum(machine_, count, scratch);
      if (b < a_.ids.count()) {
        if (a_.base)
          a_.base[b] = start;
        if (a_.offsets)
          a_.offsets[b] = start;
        if (a_.offsets && b == a_.ids.num_buckets - 1)
          a_.offsets[b + 1] = start + count;
      }
      for (uint32_t w = 0; w < threads / 32; ++w)
        before += scratch[w];
      machine_.block_sync(); // scratch is free again
    }
  }

  const Machine &machine_;
  const arguments &a_;
  counters counters_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// digit_histogram.hpp: the first pass of a least-significant-digit sort: counts how often each
// digit of each scatter pass occurs, for up to eight passes in one pass over the items.
//
// In: items; counts and `done` zero. Out: base[r * 256 + d], the number of items whose digit in
// pass r is below d; `kept`, the number of items that are not dropped; if wanted, the word of
// every item; the first bucket id out of range in the status. Blocks count in shared memory, with
// several copies of each counter; the last block to finish turns the counts into bases.
// Invariant: the look-back words of the first scatter pass are empty afterwards.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/input_chunk.hpp>
#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/digits/digits.hpp>
#include <colonnade/detail/ranking/block_counters.hpp>
#include <colonnade/detail/scatter/tile_storage.hpp>
#include <colonnade/item_count.hpp>

namespace colonnade::detail {

/// Ids has raw(item, index), in_range(raw) and safe(raw), like bucket_ids. Count: uint64_t or
/// item_count.
template <class ItemsIn, class Ids, class WordsOut, class Count = uint64_t>
struct digit_histogram_arguments {
  ItemsIn items_in;
  Ids ids;
  digit_list digits;
  Count num_items;
  WordsOut words_out; // or nothing
  uint64_t *counts;   // digits.count * 256
  uint64_t *base;     // as many
  uint64_t *kept;     // one
  uint32_t *done;     // blocks that have added their counts
  uint32_t *words_to_zero;
  uint64_t num_words_to_zero;
  device_status *status; // null: not reported
};

/// The ids of a sort by words: every word is in range.
template <class Word> struct word_ids {
  static constexpr bool discards = false;
  Word word;
  template <class Key> COLONNADE_KERNEL_CODE auto raw(const Key &key, uint64_t) const {
    return word(key);
  }
  template <class T> COLONNADE_KERNEL_CODE bool in_range(T) const { return true; }
  template <class T> COLONNADE_KERNEL_CODE T safe(T raw) const { return raw; }
};

struct digit_histogram_tuning {
  uint32_t threads = digit_buckets;
  uint32_t blocks_per_sm = 6;
  uint32_t counter_bytes = 1024; // of all copies of the counters; a single copy may take more
  uint32_t items = 16;           // that a thread reads at once, at least one 16-byte load
};

template <class ItemsIn, class Ids, class WordsOut, class Machine, class Count = uint64_t>
class digit_histogram_block {
public:
  using arguments = digit_histogram_arguments<ItemsIn, Ids, WordsOut, Count>;
  using item = typename std::iterator_traits<ItemsIn>::value_type;
  static constexpr digit_histogram_tuning tuning{};
  static constexpr uint32_t threads = tuning.threads;
  static constexpr uint32_t loads = (tuning.items * sizeof(item) + 15) / 16;
  using chunk = input_chunk<ItemsIn, threads, loads>;
  using counters = block_counters<threads, Machine>;
  static constexpr bool writes_words = !std::is_same_v<WordsOut, nothing>;
  static_assert(threads == digit_buckets, "one thread a digit");

  /// log2 of the copies of each counter.
  static COLONNADE_HOST_DEVICE uint32_t log2_copies(uint32_t num_digits) {
    uint32_t log2 = 5;
    while (log2 > 0 && (num_digits * digit_buckets * 4u << log2) > tuning.counter_bytes)
      --log2;
    return log2;
  }
  static size_t shared_bytes(uint32_t num_digits) {
    return counters::bytes(size_t{num_digits} * digit_buckets << log2_copies(num_digits));
  }

  COLONNADE_KERNEL_CODE digit_histogram_block(const Machine &machine, const arguments &a,
                                              void *shared)
      : machine_(machine), a_(a), log2_copies_(log2_copies(a.digits.count)),
        counters_(machine, shared) {}

  COLONNADE_KERNEL_CODE void run() {
    const uint32_t num_counts = a_.digits.count * digit_buckets;
    counters_.clear(num_counts << log2_copies_);
    count_input();
    zero_words<threads>(machine_, a_.words_to_zero, a_.num_words_to_zero);
    machine_.let_next_kernel_start();
    machine_.block_sync();
    counters_.add_to(a_.counts, num_counts, 1u << log2_copies_);
    if (counters_.is_last_block(a_.done))
      write_bases();
  }

private:
  /// Whether all ids are right.
  template <uint32_t N>
  COLONNADE_KERNEL_CODE bool take(const item (&items)[N], const uint64_t (&index)[N]) {
    using word = decltype(a_.ids.raw(items[0], uint64_t{0}));
    constexpr uint32_t most_digits = sizeof(word) * 8 / digit_bits;
    word words[N];
    bool right = true;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k) {
      const word raw = a_.ids.raw(items[k], index[k]);
      right = right && a_.ids.in_range(raw);
      words[k] = a_.ids.safe(raw);
      if constexpr (writes_words)
        a_.words_out[index[k]] = words[k];
    }
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < most_digits; ++r)
      if (r < a_.digits.count)
        COLONNADE_UNROLL
    for (uint32_t k = 0; k < N; ++k)
      count(r, words[k]);
    return right;
  }
  template <class Word> COLONNADE_KERNEL_CODE void count(uint32_t r, Word word) {
    uint32_t d;
    if constexpr (Ids::discards)
      d = a_.digits.at[r].of_id(word);
    else
      d = a_.digits.at[r].of(word);
    const uint32_t copy = machine_.lane() & ((1u << log2_copies_) - 1);
    counters_.count((r * digit_buckets + d) << log2_copies_ | copy);
  }
  COLONNADE_KERNEL_CODE void count_input() {
    const chunk whole(a_.items_in, items_now(a_.num_items));
    report_count(machine_, a_.num_items, a_.status);
    for (uint64_t c = machine_.block(); c < whole.num_chunks; c += machine_.num_blocks()) {
      const uint64_t from_end = whole.num_chunks - 1 - c; // the scatter begins at the start
      item items[chunk::items];
      uint64_t index[chunk::items];
      whole.load(from_end, machine_.thread(), items);
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < chunk::items; ++k)
        index[k] = whole.index_of(from_end, machine_.thread(), k);
      if (!take(items, index) && a_.status)
        report_chunk(machine_, a_.ids, whole, from_end, a_.items_in, a_.status);
    }
    if (machine_.block() == machine_.num_blocks() - 1)
      whole.for_each_outside(machine_.thread(), [&](uint64_t i) {
        const item items[1] = {a_.items_in[i]};
        const uint64_t index[1] = {i};
        if (!take(items, index) && a_.status)
          report_bad_id(machine_, a_.ids, items[0], i, a_.status);
      });
  }
  COLONNADE_KERNEL_CODE void write_bases() {
    for (uint32_t r = 0; r < a_.digits.count; ++r) {
      const uint32_t d = machine_.thread();
      const uint64_t count = machine_.load_counter(a_.counts + r * digit_buckets + d);
      const uint64_t start = block_exclusive_sum(machine_, count, counters_.scratch());
      a_.base[r * digit_buckets + d] = start;
      if (r == a_.digits.count - 1 && d == a_.digits.at[r].num_buckets - 1)
        *a_.kept = start + count;
      machine_.block_sync(); // scratch is free again
    }
  }

  const Machine &machine_;
  const arguments &a_;
  uint32_t log2_copies_;
  counters counters_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mend_runs.hpp: ends a sort by the high digits of keys.
//
// A batch of keys of 64 bits needs passes for 32 of these bits alone, if keys are anything behind
// those highest bits that all of them have in common: then keys that agree in the 32 bits are so
// few that whoever finds them can put them in order where they stand. They are a run. What comes of
// other keys is not known beforehand, so a tree learns it: where a run is longer than what one
// thread puts in order, and is not in order, the batch is sorted again by all digits, and so are
// some batches that follow, at once; then it is tried again, behind the bits that the last batch
// had in common.
//
// In: pairs in the order of their keys' 32 bits; of equal ones in that of the input. Out: the pairs
// in the order of all bits, of equal keys in that of the input; or *unsorted has all bits, and they
// are to be sorted anew. Invariant: a run is changed by one thread, that of its first pair. Others
// that read its keys meanwhile look at the bits that all of its keys have in common.
//
// Work: a load of each key, and for the pairs of a run at most most_mended^2 moves; depth:
// most_mended^2. Traffic: keys once, and the pairs that move.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/lowest_level.hpp>

namespace colonnade::detail {

constexpr uint32_t most_mended = 32; // pairs of a run that one thread puts in order
constexpr uint32_t mend_threads = 256, mend_blocks = 4, mend_rows = 8; // blocks: of an SM

/// For keys of 32 bits there is nothing to be gained: with three passes of four, runs are so many
/// that to put them in order takes as long as the pass.
template <class Raw> constexpr bool may_sort_by_high_digits = sizeof(Raw) == 8;

/// What a tree has learned of its keys. Of a new one `high` has all bits, and all else is 0.
struct lsm_digits {
  uint64_t high;        // all bits: a batch is sorted by high digits first; or none: by all
  uint64_t retry_after; // then: so many batches
  uint64_t log2_wait;   // the next time
  uint64_t lead;        // bits of a word before the high digits, at most 32
};
constexpr uint64_t most_log2_wait = 5;
/// From a batch: what its sort says, and in which bits its first word and its last one differ.
COLONNADE_KERNEL_CODE void learn(lsm_digits &digits, uint64_t unsorted, uint64_t differing) {
  if (!unsorted)
    return;
  const uint64_t lead = differing >> 32 ? 63 - log2_below(differing) : 32;
  if (digits.high) {
    digits = {0, uint64_t{1} << digits.log2_wait,
              digits.log2_wait < most_log2_wait ? digits.log2_wait + 1 : most_log2_wait, lead};
  } else if (--digits.retry_after == 0) {
    digits.high = ~uint64_t{0};
    digits.lead = lead;
  }
}
/// Of a batch that was sorted like this. digits: null: it was not.
template <class Raw> struct lsm_sort_report {
  lsm_digits *digits = nullptr;
  const uint64_t *unsorted = nullptr;
  lsm_lowest_or<Raw> keys{}; // as they are then
};

/// The word of a key without what is before the high digits.
template <class Format> struct lsm_high_word {
  static constexpr bool may_drop = false, is_id = false;
  Format format;
  const uint64_t *lead; // written at least two kernels before

  COLONNADE_KERNEL_CODE auto operator()(typename Format::raw key) const {
#if defined(__CUDA_ARCH__)
    static_assert(sizeof(unsigned long long) == sizeof *lead);
    return format.word(key) << __ldg(reinterpret_cast<const unsigned long long *>(lead));
#else
    return format.word(key) << *lead;
#endif
  }
};

template <class Raw, class Value, class Format> struct lsm_mend_arguments {
  using raw = Raw;
  using value = Value;
  static constexpr uint32_t low_bits = 4 * sizeof(Raw);
  Format format;
  const lsm_digits *digits; // none high: the pairs have not been sorted
  lsm_lowest_or<Raw> keys;
  lsm_lowest_or<Value> values;
  uint64_t num_items; // at least 1
  uint64_t *unsorted; // 0
};

template <class Arguments, class Machine> class lsm_run_mender {
  using raw = typename Arguments::raw;
  using value = typename Arguments::value;
  static constexpr uint64_t of_warp = 32 * mend_rows;

public:
  COLONNADE_KERNEL_CODE lsm_run_mender(const Machine &machine, const Arguments &a)
      : machine_(machine), a_(a), keys_(a.keys.array()),
        shift_(static_cast<uint32_t>(Arguments::low_bits - a.digits->lead)) {}

  COLONNADE_KERNEL_CODE void run() const {
    if (!a_.digits->high) {
      if (machine_.block() == 0 && machine_.thread() == 0)
        *a_.unsorted = ~uint64_t{0};
      return;
    }
    const uint64_t warps = machine_.num_threads() / 32;
    for (uint64_t first = (machine_.block() * warps + machine_.warp()) * of_warp;
         first < a_.num_items; first += machine_.num_blocks() * warps * of_warp)
      look_at(first);
  }

private:
  /// The pairs from place `first` on, by the lanes of a warp: all loads are on their way at once.
  COLONNADE_KERNEL_CODE void look_at(uint64_t first) const {
    const uint64_t last = a_.num_items - 1, own = first + machine_.lane();
    raw keys[mend_rows + 1];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r <= mend_rows; ++r)
      keys[r] = keys_[own + r * 32 < last ? own + r * 32 : last];
    COLONNADE_UNROLL
    for (uint32_t r = 0; r < mend_rows; ++r) {
      const raw next =
          machine_.shuffle(machine_.lane() ? keys[r] : keys[r + 1], (machine_.lane() + 1) % 32);
      if (own + r * 32 < last)
        look_at(own + r * 32, a_.format.word(keys[r]), a_.format.word(next));
    }
  }
  COLONNADE_KERNEL_CODE void look_at(uint64_t i, raw word, raw next) const {
    if (!in_one_run(word, next)) {
      if (word > next) // in what all keys had in common before
        *a_.unsorted = ~uint64_t{0};
      return;
    }
    if (i == 0 || !in_one_run(word_at(i - 1), word))
      mend(i);
    else if (word > next && is_long(i))
      *a_.unsorted = ~uint64_t{0};
  }
  COLONNADE_KERNEL_CODE bool in_one_run(raw a, raw b) const {
    return static_cast<raw>(a ^ b) >> shift_ == 0;
  }
  COLONNADE_KERNEL_CODE raw word_at(uint64_t i) const { return a_.format.word(keys_[i]); }

  /// Pairs of the run from place i on; no more than one more than what is mended.
  COLONNADE_KERNEL_CODE uint32_t length_from(uint64_t i) const {
    const raw word = word_at(i);
    uint32_t length = 1;
    while (length <= most_mended && i + length < a_.num_items &&
           in_one_run(word, word_at(i + length)))
      ++length;
    return length;
  }
  COLONNADE_KERNEL_CODE bool is_long(uint64_t i) const {
    const raw word = word_at(i);
    uint32_t before = 0;
    while (before <= most_mended && before < i && in_one_run(word, word_at(i - before - 1)))
      ++before;
    return before + length_from(i) > most_mended;
  }
  /// The run that begins at place `first`: by insertion, which leaves equal keys in their order.
  COLONNADE_KERNEL_CODE void mend(uint64_t first) const {
    const uint32_t length = length_from(first);
    if (length > most_mended) {
      if (word_at(first) > word_at(first + 1))
        *a_.unsorted = ~uint64_t{0};
      return;
    }
    raw *const keys = keys_ + first;
    for (uint32_t i = 1; i < length; ++i) {
      const raw key = keys[i], word = a_.format.word(key);
      if (a_.format.word(keys[i - 1]) <= word)
        continue;
      value *const values = a_.values.array() + first;
      const value moved = values[i];
      uint32_t to = i;
      do {
        keys[to] = keys[to - 1];
        values[to] = values[to - 1];
        --to;
      } while (to > 0 && a_.format.word(keys[to - 1]) > word);
      keys[to] = key;
      values[to] = moved;
    }
  }

  const Machine &machine_;
  const Arguments &a_;
  raw *const keys_;
  const uint32_t shift_; // of the bits that a run has in common
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sample.hpp: which four characters of the pattern the text is skimmed for: those that are rarest
// in a sample of it.
//
// In: a job. Out: the choice. Invariant: called by all threads of one block; the same choice on
// every run. Windows are counted by their hashes, so that a count may be too high, never too low.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_smallest.hpp>
#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

constexpr uint32_t sample_counters = 8192;
/// Vectors of the text, with 13 windows each (5 of wide characters), and windows of the pattern
/// that are looked at, at most.
constexpr uint64_t most_samples = 1 << 11, most_choices = 1 << 13;

template <uint32_t Threads> struct sample_storage {
  uint64_t scratch[Threads / 32];
  uint32_t counts[sample_counters];
};

COLONNADE_KERNEL_CODE uint32_t word_at(const uint8_t *bytes) {
  return bytes[0] | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}
COLONNADE_KERNEL_CODE uint32_t counter_of(uint32_t word) {
  return (word ^ word >> 15) * 0x9e3779b1u >> 19;
}

/// Windows of four characters: those of a vector, and their counters.
template <class Character> struct sampled_windows;
template <> struct sampled_windows<uint8_t> {
  static constexpr uint32_t of_vector = 13;
  COLONNADE_KERNEL_CODE static uint32_t counter(const sixteen_bytes &vector, uint32_t i,
                                                uint32_t fold) {
    const uint32_t word = window_of(vector.word[i / 4], vector.word[i < 12 ? i / 4 + 1 : 3], i % 4);
    return counter_of(folded(word, fold));
  }
  COLONNADE_KERNEL_CODE static uint32_t counter(const uint8_t *pattern) {
    return counter_of(word_at(pattern));
  }
};
template <> struct sampled_windows<uint16_t> {
  static constexpr uint32_t of_vector = 5;
  COLONNADE_KERNEL_CODE static uint32_t counter(const sixteen_bytes &vector, uint32_t i,
                                                uint32_t fold) {
    const uint32_t second = vector.word[i / 2 + 1], bytes = i % 2 * 2;
    return counter(letters<uint16_t>::lower(window_of(vector.word[i / 2], second, bytes), fold),
                   letters<uint16_t>::lower(
                       window_of(second, vector.word[i < 4 ? i / 2 + 2 : 3], bytes), fold));
  }
  COLONNADE_KERNEL_CODE static uint32_t counter(const uint8_t *pattern) {
    return counter(word_at(pattern), word_at(pattern + 4));
  }

private:
  COLONNADE_KERNEL_CODE static uint32_t counter(uint32_t low, uint32_t high) {
    return counter_of(low ^ (high ^ high >> 13) * 0x85ebca6bu);
  }
};

/// Counts the windows of a vector; of equal ones in a row, as in repetitions, all at once.
template <class Character, class Machine>
COLONNADE_KERNEL_CODE void count_windows(const Machine &machine, const sixteen_bytes &vector,
                                         uint32_t fold, uint32_t *counts) {
  using windows = sampled_windows<Character>;
  uint32_t last = 0, times = 0;
  COLONNADE_UNROLL
  for (uint32_t i = 0; i < windows::of_vector; ++i) {
    const uint32_t counter = windows::counter(vector, i, fold);
    if (times && counter != last) {
      machine.add_shared(&counts[last], times);
      times = 0;
    }
    last = counter;
    ++times;
  }
  machine.add_shared(&counts[last], times);
}

/// The pattern has at least four characters. No choice is further than 2^31 from its begin.
template <uint32_t Threads, class Character = uint8_t, class Machine>
COLONNADE_KERNEL_CODE void choose_rarest(const Machine &machine, const matching_job &job,
                                         sample_storage<Threads> &shared) {
  for (uint32_t i = machine.thread(); i < sample_counters; i += Threads)
    shared.counts[i] = 0;
  machine.block_sync();
  const uint64_t lead = static_cast<uint32_t>(-reinterpret_cast<uintptr_t>(job.text)) % 16;
  const uint64_t bytes = (job.num_positions + job.length - 1) * sizeof(Character);
  const uint64_t vectors = bytes < lead ? 0 : (bytes - lead) / 16;
  const uint64_t stride = vectors < most_samples ? 1 : vectors / most_samples;
  for (uint64_t i = machine.thread(); i < most_samples && i * stride < vectors; i += Threads)
    count_windows<Character>(machine, aligned_vector(job.text + lead + 16 * i * stride), job.fold,
                             shared.counts);
  machine.block_sync();
  const uint64_t offsets = job.length - 3;
  const uint64_t step = offsets < most_choices ? 1 : offsets / most_choices;
  uint64_t best = ~uint64_t{0};
  for (uint64_t i = machine.thread(); i < most_choices; i += Threads)
    if (i * step < offsets) {
      const uint64_t count = shared.counts[sampled_windows<Character>::counter(
          job.pattern + i * step * sizeof(Character))];
      const uint64_t key = count << 32 | i * step;
      best = key < best ? key : best;
    }
  best = block_smallest(machine, best, shared.scratch);
  if (machine.thread() == 0) {
    const uint64_t offset = best & 0xffffffffu;
    // Rows mostly have it, at more than 1.3 positions each.
    const uint64_t windows =
        (vectors < most_samples ? vectors : most_samples) * sampled_windows<Character>::of_vector;
    const bool dense = job.sketch.cared != 0 && (best >> 32) * 400 > windows;
    *job.chosen = {offset, word_at(job.pattern + offset * sizeof(Character)), dense};
  }
}

} // namespace colonnade::detail

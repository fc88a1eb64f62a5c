//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sample.hpp: which four bytes of the pattern the text is skimmed for: those that are rarest in a
// sample of it.
//
// In: a job. Out: the choice. Invariant: called by all threads of one block; the same choice on
// every run. Words are counted by their hashes, so that a count may be too high, never too low.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_smallest.hpp>
#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

constexpr uint32_t sample_counters = 8192;
/// Words of the text, and of the pattern, that are looked at, at most.
constexpr uint64_t most_samples = 1 << 15, most_choices = 1 << 13;

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

/// The pattern has at least four bytes. No choice is further than 2^31 from the pattern's begin.
template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void choose_rarest(const Machine &machine, const matching_job &job,
                                         sample_storage<Threads> &shared) {
  for (uint32_t i = machine.thread(); i < sample_counters; i += Threads)
    shared.counts[i] = 0;
  machine.block_sync();
  const uint64_t words = job.num_positions + job.length - 4;
  const uint64_t stride = words < most_samples ? 1 : words / most_samples;
  COLONNADE_UNROLL_BY(4)
  for (uint64_t i = machine.thread(); i < most_samples; i += Threads)
    if (i * stride < words)
      machine.add_shared(
          &shared.counts[counter_of(folded(word_at(job.text + i * stride), job.fold))], 1);
  machine.block_sync();
  const uint64_t offsets = job.length - 3;
  const uint64_t step = offsets < most_choices ? 1 : offsets / most_choices;
  uint64_t best = ~uint64_t{0};
  for (uint64_t i = machine.thread(); i < most_choices; i += Threads)
    if (i * step < offsets) {
      const uint64_t count = shared.counts[counter_of(word_at(job.pattern + i * step))];
      const uint64_t key = count << 32 | i * step;
      best = key < best ? key : best;
    }
  best = block_smallest(machine, best, shared.scratch);
  if (machine.thread() == 0) {
    const uint64_t offset = best & 0xffffffffu;
    *job.chosen = {offset, word_at(job.pattern + offset)};
  }
}

} // namespace colonnade::detail

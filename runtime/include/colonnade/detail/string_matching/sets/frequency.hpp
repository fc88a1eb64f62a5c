//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// frequency.hpp: whether a text is searched by keys or anchors in shared memory, by a sample of its
// positions.
//
// In: a job. Out: *job.is_frequent. Invariant: the same text gives the same answer.
//
// Filters take long where many words pass the first one, whether a pattern begins there or not:
// that is what is sampled to choose between them and anchors. Keys pay where many positions have
// one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/filters.hpp>
#include <colonnade/detail/string_matching/sets/lookup.hpp>

namespace colonnade::detail {

constexpr uint32_t sampled_positions = 4096;

/// Of those, at equal distances but for a few bytes, so that they are not of one column of a table.
COLONNADE_KERNEL_CODE uint64_t sampled_position(uint64_t num_items, uint32_t i) {
  return i * num_items / sampled_positions + i % 64;
}
/// Whether the first filter has the aligned word that a position lies in.
COLONNADE_KERNEL_CODE bool passes_first_filter(const set_job &job, uint64_t position) {
  const window_text<1> text(job.text, job.num_items);
  const auto &units = *reinterpret_cast<const decltype(long_filters::units) *>(job.set.filters);
  static_assert(sizeof long_filters::units == sizeof mixed_filters::units);
  return units.has(text.word((text.begin + position) & ~uint64_t{3}) | job.set.fold) & 1;
}

/// By one block. hits: of positions with a key that decides, and, from bit 16 on, with one that
/// does not, which take longer by keys in shared memory; or of words that pass the first filter.
template <class Machine>
COLONNADE_KERNEL_CODE void sample_frequency(const Machine &machine, const set_job &job,
                                            uint32_t &hits) {
  if (machine.thread() == 0)
    hits = 0;
  machine.block_sync();
  const set_lookup<Machine> lookup(job);
  for (uint32_t i = machine.thread(); i < sampled_positions; i += machine.num_threads()) {
    const uint64_t position = sampled_position(job.num_items, i);
    if (position + 8 > job.num_items)
      continue;
    if (job.samples_words) {
      if (passes_first_filter(job, position))
        machine.add_shared(&hits, 1);
      continue;
    }
    const first_look seen = lookup.look(lookup.first_bytes(position), 8);
    if (seen.key != first_look::none)
      machine.add_shared(&hits, 1u << 16);
    else if (seen.found.count)
      machine.add_shared(&hits, 1);
  }
  machine.block_sync();
  const uint32_t decided = hits & 0xffff, undecided = hits >> 16;
  if (machine.thread() == 0)
    *job.is_frequent =
        job.least_frequent == 0 || (decided >= job.least_frequent && 8 * undecided <= decided);
}

} // namespace colonnade::detail

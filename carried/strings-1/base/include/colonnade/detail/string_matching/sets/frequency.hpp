//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// frequency.hpp: whether keys of a set are frequent in a text, by a sample of its positions.
//
// In: a job. Out: *job.is_frequent. Invariant: the same text gives the same answer.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/lookup.hpp>

namespace colonnade::detail {

constexpr uint32_t sampled_positions = 4096;

/// By one block. hits: of positions with a key that decides, and, from bit 16 on, with one that
/// does not; these take longer by keys in shared memory.
template <class Machine>
COLONNADE_KERNEL_CODE void sample_frequency(const Machine &machine, const set_job &job,
                                            uint32_t &hits) {
  if (machine.thread() == 0)
    hits = 0;
  machine.block_sync();
  const set_lookup<Machine> lookup(job);
  for (uint32_t i = machine.thread(); i < sampled_positions; i += machine.num_threads()) {
    // Not at equal distances: the sample is not of one column of a table.
    const uint64_t position = i * job.num_items / sampled_positions + i % 64;
    if (position + 8 > job.num_items)
      continue;
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
        job.least_frequent == 0 ||
        (job.undecided_too ? decided + undecided >= job.least_frequent
                           : decided >= job.least_frequent && 8 * undecided <= decided);
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// sums.hpp: what is added up between a set's passes and behind them.
//
// In: the matches of segments, or of members. Out: matches before each group of segments and their
// number; matches of each pattern. Invariant: called by all threads of their blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_offsets.hpp>
#include <colonnade/detail/device/report.hpp>
#include <colonnade/detail/string_matching/sets/job.hpp>

namespace colonnade::detail {

/// By one block.
template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void place_groups(const Machine &machine, const set_job &job,
                                        block_offsets_storage<uint64_t, Threads> &shared) {
  const uint64_t groups = (job.num_segments + group_segments - 1) / group_segments;
  const uint64_t found = block_offsets<uint64_t, Threads>(
      machine, shared, groups,
      [&](uint64_t group) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < group_segments; ++i) {
          const uint64_t segment = group * group_segments + i;
          sum += segment < job.num_segments ? job.segment_matches[segment] : 0;
        }
        return sum;
      },
      [&](uint64_t group, uint64_t sum) { job.groups[group] = sum; });
  if (machine.thread() != 0)
    return;
  *job.num_matches = found;
  if (job.status && found > job.capacity)
    report_error(machine, job.status, data_error::buffer_too_small, found);
}

/// A warp for each member: where it was the longest, all patterns of its list are. num_matches hold
/// 0 before.
template <class Machine>
COLONNADE_KERNEL_CODE void share_tally(const Machine &machine, const set_job &job) {
  const uint32_t member = machine.block() * (machine.num_threads() / 32) + machine.warp();
  if (member >= job.set.num_members)
    return;
  uint64_t found = 0;
  for (uint32_t copy = machine.lane(); copy < tally_copies; copy += 32)
    found += job.member_counts[uint64_t{copy} * job.set.num_members + member];
  COLONNADE_UNROLL
  for (uint32_t mask = 1; mask < 32; mask *= 2)
    found += machine.shuffle_xor(found, mask);
  if (found == 0)
    return;
  const set_member &m = job.set.members[member];
  for (uint32_t i = machine.lane(); i < m.count; i += 32)
    machine.add_global(&job.num_matches[job.set.lists[m.list + i]], found);
}

} // namespace colonnade::detail

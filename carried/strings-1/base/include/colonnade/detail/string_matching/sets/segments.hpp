//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segments.hpp: what all walks through a text have in common: which segments a warp takes, and how
// it adds up or notes what it finds there.
//
// In: a job. Out: segments; counters of members; notes (../notes.hpp). Invariant: every segment is
// taken once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/notes.hpp>
#include <colonnade/detail/string_matching/sets/job.hpp>
#include <colonnade/detail/string_matching/sets/write.hpp>

namespace colonnade::detail {

/// The first of each warp are spread over all blocks; others are taken by whoever is free, since
/// some take ten times as long as others. warps: of a block.
template <class Machine, class Work>
COLONNADE_KERNEL_CODE void each_segment(const Machine &machine, const set_job &job, uint32_t warps,
                                        Work work) {
  const uint64_t all_warps = uint64_t{machine.num_blocks()} * warps;
  uint64_t segment = machine.block() + uint64_t{machine.num_blocks()} * machine.warp();
  while (segment < job.num_segments) {
    work(segment);
    if (job.num_segments <= all_warps)
      return;
    if (machine.lane() == 0)
      segment = all_warps + machine.take_global(job.next_segment, 1);
    segment = machine.shuffle(segment, 0);
  }
}
template <class Machine, class T>
COLONNADE_KERNEL_CODE T sum_of_warp(const Machine &machine, T value) {
  COLONNADE_UNROLL
  for (uint32_t mask = 1; mask < 32; mask *= 2)
    value += machine.shuffle_xor(value, mask);
  return value;
}

/// The copy of the members' counters that a warp adds to.
template <class Machine>
COLONNADE_KERNEL_CODE uint64_t *counts_of_warp(const Machine &machine, const set_job &job,
                                               uint32_t warps) {
  const uint32_t copy = (machine.block() * warps + machine.warp()) % tally_copies;
  return job.member_counts + copy * job.set.num_members;
}
/// Adds up how often each member was found; equal ones in a row at once.
template <class Machine> class member_tally {
public:
  COLONNADE_KERNEL_CODE member_tally(const Machine &machine, uint64_t *counts)
      : machine_(machine), counts_(counts) {}
  COLONNADE_KERNEL_CODE void add(uint32_t member) {
    if (member == no_member)
      return;
    if (member != last_ || times_ >> 31)
      write();
    last_ = member;
    ++times_;
  }
  COLONNADE_KERNEL_CODE void write() {
    if (times_)
      machine_.add_global(&counts_[last_], times_);
    times_ = 0;
  }

private:
  const Machine &machine_;
  uint64_t *const counts_;
  uint32_t last_ = no_member;
  uint32_t times_ = 0;
};

/// found: bits of the positions of a step, in shared memory.
template <uint32_t Rows, class Machine>
COLONNADE_KERNEL_CODE void clear_found(const Machine &machine, uint32_t *found) {
  for (uint32_t i = machine.lane(); i < Rows * row_bytes / 32; i += 32)
    found[i] = 0;
  machine.warp_sync();
}
/// Notes the positions of a step, which are 0 afterwards.
template <uint32_t Rows, class Machine, class Taker>
COLONNADE_KERNEL_CODE void note_step(const Machine &machine, uint32_t *found, uint32_t step,
                                     Taker &taker) {
  const uint32_t lane = machine.lane();
  machine.warp_sync(); // all have found theirs
  for (uint32_t row = 0; row < Rows; ++row) {
    const uint32_t two_lanes = found[row * 16 + lane / 2],
                   mine = two_lanes >> 16 * (lane % 2) & 0xffff;
    if (machine.ballot(mine != 0))
      taker.add(step + row * row_bytes + lane * 16, mine);
  }
  machine.warp_sync(); // all have read
  clear_found<Rows>(machine, found);
}

} // namespace colonnade::detail

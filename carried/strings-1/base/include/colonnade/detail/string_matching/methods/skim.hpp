//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// skim.hpp: a warp's windows: those that have the pattern's fingerprint, and of them the matches.
//
// In: a job, and the hits of a method. Out: matches, 32 windows a lane, ascending, for
// matching_block (../results.hpp). Invariant: every hit is verified; hits that verification rejects
// are counted if that is asked for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/methods/cooperative.hpp>
#include <colonnade/detail/string_matching/methods/divide.hpp>
#include <colonnade/detail/string_matching/methods/prints.hpp>
#include <colonnade/detail/string_matching/results.hpp>
#include <colonnade/string_matching_tuning.hpp>

namespace colonnade::detail {

/// What a skimmer is made from.
template <class Hits> struct method_view {
  const method_job &job;
  const Hits &hits;
  uint64_t *rejected; // or null
  COLONNADE_KERNEL_CODE operator const matching_job &() const { return job; }
};

template <class Hits, class Machine> class method_skimmer {
public:
  static constexpr uint32_t step_slots = windows_per_warp / windows_per_slot, noted_windows = 0;

  COLONNADE_KERNEL_CODE method_skimmer(const Machine &machine, const method_view<Hits> &view)
      : machine_(machine), job_(view.job), hits_(view.hits), rejected_(view.rejected),
        begin_(hits_.begin()), end_(begin_ + job_.portion_positions) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * windows_per_warp;
  }
  /// The grid covers the portion: a warp's second segment is not in it.
  COLONNADE_KERNEL_CODE bool is_in_text(uint64_t segment) const {
    return segment_begin(segment) < end_;
  }
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t offset) const {
    return offset - begin_ + job_.first;
  }
  /// each(offset, matches): the matches (bit i: at offset + i), called by all lanes, once.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    const uint64_t mine = segment_begin(segment) + windows_per_lane * machine_.lane();
    uint32_t hits = 0;
    if (mine < end_ && mine + windows_per_lane > begin_)
      hits = hits_.at(mine);
    if (mine < begin_)
      hits &= ~0u << (begin_ - mine) % 32;
    if (mine + windows_per_lane > end_)
      hits &= mine < end_ ? (1u << (end_ - mine)) - 1 : 0;
    if (machine_.ballot(hits != 0) == 0)
      return;
    const uint64_t segment_end = segment_begin(segment + 1),
                   last = position(segment_end < end_ ? segment_end : end_) - 1;
    verifier<Machine, 4> verify(machine_, job_, last + job_.length);
    hits = hits_.confirmed(machine_, hits, position(mine));
    const uint32_t low = verify.matches(hits & 0xffff, position(mine)),
                   high = verify.matches(hits >> 16, position(mine) + 16),
                   matches = low | high << 16;
    if (rejected_ && matches != hits)
      machine_.add_global(rejected_, uint64_t{machine_.count_ones(hits & ~matches)});
    each(mine, matches);
  }
  COLONNADE_KERNEL_CODE uint32_t count(uint64_t segment) const {
    uint32_t found = 0;
    rows(segment, [&](uint64_t, uint32_t matches) {
      found += machine_.count_ones(matches);
      return true;
    });
    return found;
  }

private:
  const Machine &machine_;
  const method_job &job_;
  const Hits &hits_;
  uint64_t *const rejected_;
  const uint64_t begin_, end_;
};

/// A grid of one block is no exception: there may be other portions.
template <class Machine> struct portion_machine : Machine {
  using Machine::Machine;
  COLONNADE_KERNEL_CODE explicit portion_machine(const Machine &machine) : Machine(machine) {}
  COLONNADE_KERNEL_CODE uint32_t num_blocks() const { return Machine::num_blocks() + 1; }
};
template <uint32_t Threads> struct method_tuning {
  static constexpr string_matching_tuning value{Threads, 1, 1};
};
template <class Hits, uint32_t Threads, class Machine>
using method_block =
    matching_block<method_tuning<Threads>, 4, Machine, method_skimmer<Hits, Machine>>;

/// A block of a method's grid; todo(block). words: shared memory for a text_tile, or null.
template <matching_method Method, class Machine, class Todo>
COLONNADE_KERNEL_CODE void divide_block(const Machine &machine, const method_job &job,
                                        uint32_t *words,
                                        matching_storage<method_tuning<method_threads>> &shared,
                                        uint64_t *rejected, Todo todo) {
  constexpr uint32_t windows = method_threads * windows_per_lane;
  const text_tile tile(job, words, uint64_t{machine.block()} * windows);
  tile.fill(machine, windows, job.part_length);
  using hits_type = divide_hits<Method>;
  const hits_type hits{job, tile};
  method_block<hits_type, method_threads, Machine> block(
      machine, method_view<hits_type>{job, hits, rejected}, shared);
  todo(block);
}
template <class Portion, class Machine, class Todo>
COLONNADE_KERNEL_CODE void
cooperative_block(const Machine &machine, const method_job &job,
                  matching_storage<method_tuning<method_threads>> &shared, uint64_t *rejected,
                  Todo todo) {
  using hits_type = portion_hits<Portion>;
  const hits_type hits{job};
  method_block<hits_type, method_threads, Machine> block(
      machine, method_view<hits_type>{job, hits, rejected}, shared);
  todo(block);
}
template <class Machine, class Todo>
COLONNADE_KERNEL_CODE void hybrid_block(const Machine &machine, const method_job &job,
                                        hybrid_storage &scanned,
                                        matching_storage<method_tuning<hybrid_threads>> &shared,
                                        uint64_t *rejected, Todo todo) {
  hybrid_hits hits(job, scanned, machine.block());
  hits.fill(machine);
  method_block<hybrid_hits, hybrid_threads, Machine> block(
      machine, method_view<hybrid_hits>{job, hits, rejected}, shared);
  todo(block);
}

/// Where the positions of the portion's blocks go: behind those of the portions before.
template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void place_portion(const Machine &machine, const method_job &job,
                                         uint64_t num_blocks,
                                         block_offsets_storage<uint64_t, Threads> &shared) {
  const uint64_t before = *job.num_matches;
  const uint64_t found = block_offsets<uint64_t, Threads>(
      machine, shared, num_blocks, [&](uint64_t k) { return job.block_counts[k]; },
      [&](uint64_t k, uint64_t sum) { job.block_counts[k] = before + sum; });
  if (machine.thread() != 0)
    return;
  *job.num_matches = before + found;
  if (job.last && job.status && before + found > job.capacity)
    report_error(machine, job.status, data_error::buffer_too_small, before + found);
}

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// results.hpp: what is made of a set's candidates: the number of matches, that of each pattern, or
// all matches by position, then by pattern.
//
// In: a job and filters. Out: the caller's arrays. Invariant: a warp walks from segment to segment,
// ascending, and waits for no other. Segments note the positions at which patterns begin in slots,
// a sixty-fourth of all; where these are too few, the segment is searched a second time when it is
// known where its matches go. Which patterns begin at a noted position is looked up again.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_offsets.hpp>
#include <colonnade/detail/device/report.hpp>
#include <colonnade/detail/string_matching/sets/search.hpp>
#include <colonnade/detail/string_matching/sets/write.hpp>

namespace colonnade::detail {

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

template <class Tuning, class Filters, class Machine> class set_warps {
  static constexpr uint32_t warps = Tuning::value.threads / 32;

public:
  /// The filters are filled.
  COLONNADE_KERNEL_CODE set_warps(const Machine &machine, const set_job &job,
                                  const Filters &filters)
      : machine_(machine), job_(job), lookup_(job), searcher_(machine, job, filters) {}

  /// Any number of blocks. num_matches holds 0 before.
  COLONNADE_KERNEL_CODE void count() const {
    uint64_t found = 0;
    each_match([&](const found_member &m) { found += m.count; });
    COLONNADE_UNROLL
    for (uint32_t mask = 1; mask < 32; mask *= 2)
      found += machine_.shuffle_xor(found, mask);
    if (machine_.lane() == 0 && found)
      machine_.add_global(job_.num_matches, found);
  }
  /// member_counts hold 0 before.
  COLONNADE_KERNEL_CODE void tally() const {
    const uint32_t copy = (machine_.block() * warps + machine_.warp()) % tally_copies;
    member_tally<Machine> tally(machine_, job_.member_counts + copy * job_.set.num_members);
    each_match([&](const found_member &m) { tally.add(m.member); });
    tally.write();
  }
  COLONNADE_KERNEL_CODE void note() const {
    each_segment([&](uint64_t segment) { note(segment); });
  }
  template <set_result Result> COLONNADE_KERNEL_CODE void search() const {
    if constexpr (Result == set_result::count)
      count();
    else if constexpr (Result == set_result::each)
      tally();
    else
      note();
  }

private:
  using searcher_type = set_searcher<Tuning, Filters, Machine>;

  template <class Work> COLONNADE_KERNEL_CODE void each_segment(Work work) const {
    // Few segments are spread over all blocks.
    for (uint64_t segment = machine_.block() + uint64_t{machine_.num_blocks()} * machine_.warp();
         segment < job_.num_segments; segment += uint64_t{machine_.num_blocks()} * warps)
      work(segment);
  }
  /// In any order. Where 8 bytes do not decide, which takes ten times as long, a lane waits until
  /// one of the warp has two such places: then all lanes compare theirs at once.
  template <class Found> COLONNADE_KERNEL_CODE void each_match(Found found) const {
    told_last last;
    uint64_t place = 0;
    uint32_t waiting = first_look::none; // members, at `place`
    const auto compare = [&] {
      if (waiting != first_look::none)
        found(lookup_.longest_of(waiting, place));
      waiting = first_look::none;
    };
    each_segment([&](uint64_t segment) {
      searcher_.candidates(segment, [&](bool has, uint64_t position) {
        first_look look;
        if (has)
          look = lookup_.look(position, last);
        if (look.found.count)
          found(look.found);
        const bool undecided = look.members != first_look::none;
        if (machine_.ballot(undecided && waiting != first_look::none))
          compare();
        if (undecided)
          place = position, waiting = look.members;
      });
    });
    compare();
  }
  /// each(position, candidates): a row of 16 positions a lane, called by all lanes. Rows
  /// without candidates are left out.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    searcher_.steps(segment, [&](uint64_t at, uint64_t candidates) {
      COLONNADE_UNROLL_BY(1)
      for (uint32_t row = 0; row < searcher_type::loads; ++row) {
        const uint32_t mine = static_cast<uint32_t>(candidates >> 16 * row) & 0xffff;
        if (machine_.ballot(mine != 0))
          each(searcher_.position(at, row), mine);
      }
    });
  }
  /// Of this lane's candidates those at which patterns begin; `matches` grows by how many do.
  COLONNADE_KERNEL_CODE uint32_t matching(uint64_t position, uint32_t candidates,
                                          uint32_t &matches) const {
    uint32_t matching = 0;
    told_last last;
    COLONNADE_UNROLL_BY(1)
    for (; candidates; candidates &= candidates - 1) {
      const uint32_t bit = machine_.first_one(candidates);
      const uint32_t count = lookup_.longest(position + bit, last).count;
      matching |= uint32_t{count != 0} << bit;
      matches += count;
    }
    return matching;
  }

  COLONNADE_KERNEL_CODE void note(uint64_t segment) const {
    uint32_t matches = 0;
    note_taker<set_windows, Machine> taker(
        machine_, notes_of_segment(job_, segment, job_.rounds * searcher_type::loads));
    const uint64_t begin = begin_of(segment);
    rows(segment, [&](uint64_t position, uint32_t candidates) {
      const uint32_t found = matching(position, candidates, matches);
      if (machine_.ballot(found != 0))
        taker.add(static_cast<uint32_t>(position - begin), found);
    });
    COLONNADE_UNROLL
    for (uint32_t mask = 1; mask < 32; mask *= 2)
      matches += machine_.shuffle_xor(matches, mask);
    if (machine_.lane() == 0) {
      job_.segment_matches[segment] = matches;
      job_.segment_positions[segment] = taker.counter();
    }
  }
  /// The first position that belongs to a segment; notes count from it on.
  COLONNADE_KERNEL_CODE uint64_t begin_of(uint64_t segment) const {
    return searcher_.position(searcher_.segment_begin(segment), 0) - machine_.lane() * 16;
  }

  const Machine &machine_;
  const set_job &job_;
  const set_lookup<Machine> lookup_;
  const searcher_type searcher_;
};

} // namespace colonnade::detail

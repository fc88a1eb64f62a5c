//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// results.hpp: what is made of the places at which a pattern begins, if matches must not overlap:
// their number, or their positions.
//
// In: a job with `every` > 1. Out: the caller's arrays. Invariant: positions ascend. Blocks put the
// places of their segments together to pieces; one block finds what was chosen before each block;
// then the blocks choose. Places are noted as in ../results.hpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/apart/warp.hpp>
#include <colonnade/detail/string_matching/results.hpp>

namespace colonnade::detail {

template <class Tuning> struct apart_storage {
  match_piece pieces[Tuning::value.threads / 32];   // of the segments of a block
  match_cursor cursors[Tuning::value.threads / 32]; // of its warps
};

/// Skimmer: finds the places in a segment.
template <class Tuning, class Machine, class Skimmer> class apart_block {
  static constexpr uint32_t warps = Tuning::value.threads / 32;

public:
  /// Job: a matching_job, and what else the skimmer takes.
  template <class Job>
  COLONNADE_KERNEL_CODE apart_block(const Machine &machine, const Job &job,
                                    apart_storage<Tuning> &shared)
      : machine_(machine), job_(job), shared_(shared), skimmer_(machine, job), warp_(machine, job_),
        segment_(uint64_t{machine.block()} * warps + machine.warp()),
        num_slots_(job_.rounds * Skimmer::step_slots) {}

  COLONNADE_KERNEL_CODE void count() {
    match_piece *const mine = empty_piece();
    skimmer_.rows(segment_, [&](uint64_t offset, uint32_t places) {
      warp_.add(mine, skimmer_.position(offset), places);
      return true;
    });
    report_block();
  }
  /// Notes the places; if there is one block, that is all.
  COLONNADE_KERNEL_CODE void note() {
    const uint64_t begin = skimmer_.segment_begin(segment_);
    uint16_t *const slots = job_.slots + segment_ * num_slots_;
    match_piece *const mine = empty_piece();
    const uint32_t found = list_matches(
        machine_, skimmer_, segment_,
        [&](uint32_t place, uint64_t offset) {
          if (place < num_slots_)
            slots[place] = static_cast<uint16_t>(offset - begin);
        },
        [&](uint64_t offset, uint32_t places) {
          warp_.add(mine, skimmer_.position(offset), places);
        });
    report_block();
    if (machine_.num_blocks() == 1)
      return write(found, match_cursor::at_start(), shared_.pieces);
    if (machine_.lane() == 0) {
      job_.segment_counts[segment_] = found;
      job_.segment_pieces[segment_] = *mine;
    }
  }
  /// block_cursors hold what was chosen before each block.
  COLONNADE_KERNEL_CODE void write() {
    write(job_.segment_counts[segment_], job_.block_cursors[machine_.block()],
          job_.segment_pieces + (segment_ - machine_.warp()));
  }

private:
  /// In shared memory, of this warp.
  COLONNADE_KERNEL_CODE match_piece *empty_piece() const {
    match_piece *const mine = &shared_.pieces[machine_.warp()];
    if (machine_.lane() == 0)
      *mine = {};
    machine_.warp_sync();
    return mine;
  }
  /// The block's piece; if there is one block, the number of matches.
  COLONNADE_KERNEL_CODE void report_block() const {
    machine_.block_sync();
    if (machine_.thread() != 0)
      return;
    if (machine_.num_blocks() == 1) {
      match_cursor cursor = match_cursor::at_start();
      for (uint32_t w = 0; w < warps; ++w)
        skip_piece(warp_.rule, cursor, shared_.pieces[w]);
      report_matches(machine_, job_, cursor.chosen);
      return;
    }
    match_piece all = shared_.pieces[0];
    for (uint32_t w = 1; w < warps; ++w)
      all = joined(warp_.rule, all, shared_.pieces[w]);
    job_.block_pieces[machine_.block()] = all;
  }
  /// cursor: before the block; pieces: of its segments.
  COLONNADE_KERNEL_CODE void write(uint32_t found, match_cursor cursor,
                                   const match_piece *pieces) const {
    for (uint32_t w = 0; w < machine_.warp(); ++w)
      skip_piece(warp_.rule, cursor, pieces[w]);
    if (found == 0 || cursor.chosen >= job_.capacity)
      return;
    match_cursor *const mine = &shared_.cursors[machine_.warp()];
    if (machine_.lane() == 0)
      *mine = cursor;
    machine_.warp_sync();
    const auto choose = [&](uint64_t offset, uint32_t places) {
      warp_.choose(mine, skimmer_.position(offset), places, {job_.positions, job_.capacity});
      return true;
    };
    if (found > num_slots_) {
      skimmer_.rows(segment_, choose);
      return;
    }
    const uint64_t begin = skimmer_.segment_begin(segment_);
    const uint16_t *const slots = job_.slots + segment_ * num_slots_;
    for (uint32_t first = 0; first < found; first += 32) {
      const uint32_t place = first + machine_.lane();
      choose(begin + (place < found ? slots[place] : 0), place < found);
    }
  }

  const Machine &machine_;
  const matching_job &job_;
  apart_storage<Tuning> &shared_;
  const Skimmer skimmer_;
  const apart_warp<Machine> warp_;
  const uint64_t segment_;
  const uint32_t num_slots_;
};

template <uint32_t Threads> struct apart_place_storage {
  match_piece pieces[Threads / 32];
};

/// By one block: what was chosen before each of many blocks, and the number of matches.
template <uint32_t Threads, class Machine>
COLONNADE_KERNEL_CODE void place_apart_blocks(const Machine &machine, const matching_job &job,
                                              uint64_t num_blocks,
                                              apart_place_storage<Threads> &shared) {
  const apart_rule rule{job.length, job.step, job.every};
  const uint64_t share = (num_blocks + Threads - 1) / Threads, first = share * machine.thread(),
                 end = first + share < num_blocks ? first + share : num_blocks;
  match_piece mine{};
  for (uint64_t k = first; k < end; ++k)
    mine = joined(rule, mine, job.block_pieces[k]);
  match_cursor cursor = chosen_before(machine, rule, mine, shared.pieces);
  for (uint64_t k = first; k < end; ++k) {
    job.block_cursors[k] = cursor;
    skip_piece(rule, cursor, job.block_pieces[k]);
  }
  if (machine.thread() == Threads - 1)
    report_matches(machine, job, cursor.chosen);
}

} // namespace colonnade::detail

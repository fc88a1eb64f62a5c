//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// write.hpp: writes the matches of a set at the positions that are noted.
//
// In: a job whose segments' notes (../notes.hpp) are taken, and how many matches are before each
// group. Out: the caller's arrays. Invariant: matches ascend by position, then by number. Which
// patterns begin at a position is looked up by 32 lanes at a time, however the positions are noted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/notes.hpp>
#include <colonnade/detail/string_matching/sets/lookup.hpp>

namespace colonnade::detail {

constexpr uint32_t set_windows = 16; // of a lane in a row

COLONNADE_KERNEL_CODE segment_notes notes_of_segment(const set_job &job, uint64_t segment,
                                                     uint32_t rows) {
  return {job.slots + segment * (rows * row_notes<set_windows>::stored), rows};
}

/// Writes the matches of a segment, position after position.
template <class Machine> class set_writer {
public:
  static constexpr uint32_t rows_together = 1;

  /// before: how many matches are before the segment's.
  COLONNADE_KERNEL_CODE set_writer(const Machine &machine, const set_job &job, uint64_t before,
                                   row_stage<> &stage)
      : machine_(machine), job_(job), lookup_(job), stage_(stage), before_(before) {}

  /// As write_rows asks; where positions go depends on what was written, not on `place`.
  COLONNADE_KERNEL_CODE void put_list(uint64_t, uint64_t position, uint32_t unit, uint32_t count) {
    put(machine_.lane() < count, position + unit);
  }
  template <uint32_t>
  COLONNADE_KERNEL_CODE void put_bits(uint64_t, uint64_t position, uint32_t bits) {
    const uint32_t sum = warp_inclusive_sum(machine_, machine_.count_ones(bits)),
                   count = machine_.shuffle(sum, 31);
    stage_.put(machine_, bits, sum);
    for (uint32_t first = 0; first < count; first += 32) {
      const uint32_t i = first + machine_.lane();
      put(i < count, i < count ? position + stage_.entries[row_stage<>::place(i)] : 0);
    }
    machine_.warp_sync(); // all have read
  }
  /// Those of all lanes, if they have some.
  COLONNADE_KERNEL_CODE void put(bool has, uint64_t position) {
    found_member found;
    if (has)
      found = lookup_.longest(position);
    const uint32_t sum = warp_inclusive_sum(machine_, found.count);
    put(position, found, before_ + sum - found.count);
    before_ += machine_.shuffle(sum, 31);
  }

private:
  COLONNADE_KERNEL_CODE void put(uint64_t position, const found_member &found,
                                 uint64_t place) const {
    if (found.count == 0)
      return;
    const uint16_t *const list = lookup_.list(found.member);
    for (uint32_t i = 0; i < found.count && place + i < job_.capacity; ++i) {
      job_.positions[place + i] = position;
      job_.patterns[place + i] = list[i];
    }
  }

  const Machine &machine_;
  const set_job &job_;
  const set_lookup<Machine> lookup_;
  row_stage<> &stage_;
  uint64_t before_;
};

template <class Tuning> struct set_stages {
  row_stage<> stages[Tuning::value.threads / 32];
};

/// By warps that walk through the segments.
template <class Tuning, class Machine> class set_write_warps {
  static constexpr uint32_t warps = Tuning::value.threads / 32, loads = Tuning::value.loads;

public:
  COLONNADE_KERNEL_CODE set_write_warps(const Machine &machine, const set_job &job,
                                        set_stages<Tuning> &shared)
      : machine_(machine), job_(job), stage_(shared.stages[machine.warp()]) {}

  /// Groups hold how many matches are before each.
  COLONNADE_KERNEL_CODE void write() const {
    for (uint64_t segment = machine_.block() + uint64_t{machine_.num_blocks()} * machine_.warp();
         segment < job_.num_segments; segment += uint64_t{machine_.num_blocks()} * warps)
      write(segment);
  }

private:
  COLONNADE_KERNEL_CODE void write(uint64_t segment) const {
    const uint32_t counter = job_.segment_positions[segment],
                   positions = noted_count::matches(counter);
    if (positions == 0)
      return;
    const uint64_t before = matches_before(segment);
    if (before >= job_.capacity)
      return;
    const uint32_t rows = job_.rounds * loads;
    const segment_notes notes = notes_of_segment(job_, segment, rows);
    uint32_t before_row = bytes_before;
    if constexpr (Tuning::value.resident_threads > 0)
      before_row = takes_resident_walk(job_) ? resident_before : bytes_before;
    const uint64_t begin =
        segment * rows * row_bytes - before_row - reinterpret_cast<uintptr_t>(job_.text) % 16;
    set_writer<Machine> writer(machine_, job_, before, stage_);
    if (counter != positions)
      return row_writer<set_windows, Machine, set_writer<Machine>>(machine_, writer)
          .write(notes, begin, 0);
    const uint16_t *const listed = notes.units();
    for (uint32_t first = 0; first < positions; first += 32) {
      const uint32_t mine = first + machine_.lane();
      writer.put(mine < positions, mine < positions ? begin + listed[mine] : 0);
    }
  }
  COLONNADE_KERNEL_CODE uint64_t matches_before(uint64_t segment) const {
    const uint64_t group = segment / group_segments, first = group * group_segments;
    uint64_t before =
        first + machine_.lane() < segment ? job_.segment_matches[first + machine_.lane()] : 0;
    COLONNADE_UNROLL
    for (uint32_t mask = 1; mask < 32; mask *= 2)
      before += machine_.shuffle_xor(before, mask);
    return job_.groups[group] + before;
  }

  const Machine &machine_;
  const set_job &job_;
  row_stage<> &stage_;
};

} // namespace colonnade::detail

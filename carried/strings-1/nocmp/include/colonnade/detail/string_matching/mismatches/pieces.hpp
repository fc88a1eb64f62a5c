//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pieces.hpp: a warp reads a segment of the text and finds where the pattern is, with mismatches,
// by pieces of it: wherever one of 7 bytes is, four of its bytes are at a multiple of 4. So only
// such words of the text are looked up, in a table of hashes; around those that are in it the
// whole pattern is compared.
//
// In: a job and a segment's number. Out: matches, by rows of 16 positions a lane, ascending.
// Invariant: every position of the text belongs to one row of one segment, and is a match of it
// once, however many pieces are there: words say which positions are candidates, by a bit each.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/mismatches/compare.hpp>
#include <colonnade/detail/string_matching/packed/skim.hpp>

namespace colonnade::detail {

/// By all threads of a block. Ends with a barrier.
template <class Machine>
COLONNADE_KERNEL_CODE void fill_units(const Machine &machine, const mismatch_job &job,
                                      unit_table &table) {
  for (uint32_t i = machine.thread(); i < (1u << unit_table::index_bits) / 32;
       i += machine.num_threads())
    table.words[i] = 0;
  machine.block_sync();
  for (uint32_t u = machine.thread(); u < job.num_units; u += machine.num_threads()) {
    const mismatch_unit unit = job.units[u];
    const uint32_t index = unit_table::hash(unit.word);
    if (unit.is_new) // so no bit is added twice
      machine.add_shared(&table.words[index / 32], 1u << index % 32);
  }
  machine.block_sync();
}

/// What the skimmer takes: a job is all that the rest needs.
template <class Table> struct mismatch_view {
  const mismatch_job &job;
  const Table &table;
  COLONNADE_KERNEL_CODE operator const matching_job &() const { return job; }
};

template <class Tuning, class Machine> class piece_skimmer {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads,
                            step_slots = step_bytes / windows_per_slot, noted_windows = 0;
  /// Bytes behind a step in which pieces of its last places are.
  static constexpr uint32_t behind = 64;
  static_assert(loads <= 4); // candidates are 64 bits

  COLONNADE_KERNEL_CODE piece_skimmer(const Machine &machine, const mismatch_view<unit_table> &view)
      : machine_(machine), job_(view.job), table_(view.table),
        text_(job_.text + job_.choice.offset, job_.num_positions + job_.part - 1),
        end_(text_.begin + job_.num_positions) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_bytes;
  }
  COLONNADE_KERNEL_CODE bool is_in_text(uint64_t segment) const {
    return segment_begin(segment) < end_;
  }
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t offset) const { return offset - text_.begin; }

  /// each(offset, matches): a row's matches (bit i: at offset + i), called by all lanes; it says
  /// whether to go on. Rows without candidates are left out.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    uint64_t at = segment_begin(segment);
    const mismatch_counter<Machine> counter(machine_, job_);
    for (uint32_t round = 0; round < job_.rounds && at < end_; ++round, at += step_bytes) {
      const bool inside = text_.holds(at, step_bytes + behind);
      const uint32_t hits = inside ? looked_up<true>(at) : looked_up<false>(at);
      if (machine_.ballot(hits != 0) == 0)
        continue;
      const uint64_t candidates = candidates_of(at, hits);
      COLONNADE_UNROLL_BY(1)
      for (uint32_t row = 0; row < loads; ++row) {
        const uint64_t mine = at + row * row_bytes + machine_.lane() * 16;
        const uint32_t here =
            static_cast<uint32_t>(candidates >> 16 * row) & 0xffff & in_text(mine);
        if (machine_.ballot(here != 0) && !each(mine, counter.matches(here, position(mine))))
          return;
      }
    }
  }
  /// This lane's share of the number of matches.
  COLONNADE_KERNEL_CODE uint32_t count(uint64_t segment) const {
    uint32_t found = 0;
    rows(segment, [&](uint64_t, uint32_t matches) {
      found += machine_.count_ones(matches);
      return true;
    });
    return found;
  }

private:
  /// Of the 16 positions from this offset on.
  COLONNADE_KERNEL_CODE uint32_t in_text(uint64_t offset) const {
    uint32_t bits = ~0u;
    if (offset < text_.begin)
      bits = text_.begin - offset < 16 ? ~0u << (text_.begin - offset) : 0;
    if (offset + 16 > end_)
      bits &= offset < end_ ? (1u << (end_ - offset)) - 1 : 0;
    return bits;
  }
  COLONNADE_KERNEL_CODE uint32_t has(uint32_t word) const {
    return table_.has(unit_table::hash(word | job_.fold));
  }
  /// The word of this lane behind the step; lanes 16 to 31 have those of 0 to 15.
  COLONNADE_KERNEL_CODE uint64_t behind_of(uint64_t at) const {
    return at + step_bytes + machine_.lane() % (behind / 4) * 4;
  }
  /// Bit k: whether units may be in this lane's vector of row k of a step; bit `loads`: in its word
  /// behind the step.
  template <bool Inside> COLONNADE_KERNEL_CODE uint32_t looked_up(uint64_t at) const {
    sixteen_bytes row[loads];
    const uint64_t mine = at + machine_.lane() * 16;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k) {
      const uint64_t offset = mine + k * row_bytes;
      row[k] = Inside ? aligned_vector(text_.at(offset)) : text_.vector(offset);
    }
    const uint64_t last = behind_of(at);
    uint32_t hits = has(Inside ? aligned_word(text_.at(last)) : text_.word(last)) & 1;
    COLONNADE_UNROLL
    for (uint32_t k = loads; k-- > 0;) {
      uint32_t any = 0;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i)
        any |= has(row[k].word[i]);
      hits = 2 * hits + (any & 1);
    }
    return hits;
  }
  /// Bit 16 * row + i: whether a piece says that the part may be at this lane's position i of that
  /// row.
  COLONNADE_KERNEL_CODE uint64_t candidates_of(uint64_t at, uint32_t hits) const {
    uint64_t candidates = 0;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t row = 0; row <= loads; ++row) {
      if (machine_.ballot(hits >> row & 1) == 0)
        continue;
      const bool last = row == loads;
      const uint64_t mine = last ? behind_of(at) : at + row * row_bytes + machine_.lane() * 16;
      const sixteen_bytes vector =
          last ? sixteen_bytes{{text_.word(mine), 0, 0, 0}} : text_.vector(mine);
      const bool mine_too = !last || machine_.lane() < behind / 4;
      COLONNADE_UNROLL_BY(1)
      for (uint32_t i = 0; i < (last ? 1 : 4); ++i) {
        const uint32_t word = (i == 0   ? vector.word[0]
                               : i == 1 ? vector.word[1]
                               : i == 2 ? vector.word[2]
                                        : vector.word[3]) |
                              job_.fold;
        for (uint32_t asking = machine_.ballot(mine_too && (has(word) & 1)); asking;
             asking &= asking - 1) {
          const uint32_t leader = machine_.first_one(asking);
          add_places(machine_.shuffle(word, leader),
                     machine_.shuffle(static_cast<uint32_t>(mine - at) + 4 * i, leader),
                     candidates);
        }
      }
    }
    return candidates;
  }
  /// Where the part is if this word, so many bytes from the step's begin on, is in one of its
  /// pieces: in this step, and of this lane. A unit for each lane, which have one word together.
  COLONNADE_KERNEL_CODE void add_places(uint32_t word, uint32_t from, uint64_t &candidates) const {
    for (uint32_t first = 0; first < job_.num_units; first += 32) {
      const uint32_t u = first + machine_.lane();
      bool is_here = false;
      uint32_t place = 0;
      if (u < job_.num_units) {
        const mismatch_unit unit = job_.units[u];
        place = from - unit.offset; // beyond the step, if before its begin
        is_here = unit.word == word && place < step_bytes;
      }
      for (uint32_t there = machine_.ballot(is_here); there; there &= there - 1) {
        const uint32_t p = machine_.shuffle(place, machine_.first_one(there));
        if (p / 16 % 32 == machine_.lane())
          candidates |= uint64_t{1} << (p / row_bytes * 16 + p % 16);
      }
    }
  }

  const Machine &machine_;
  const mismatch_job &job_;
  const unit_table &table_;
  const window_text<1> text_;
  const uint64_t end_; // of the positions, as an offset
};

} // namespace colonnade::detail

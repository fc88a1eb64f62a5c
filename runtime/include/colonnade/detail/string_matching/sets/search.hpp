//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// search.hpp: a warp reads a segment of the text and finds the positions at which patterns of a set
// may begin.
//
// In: a job, filters, a segment's number. Out: candidates, by steps; a lane has 16 positions of
// each row of a step, which begin 3 bytes before its 16 bytes: its 4 aligned words are the first
// ones wholly behind these. Invariant: every position of the text belongs to one row of one
// segment, and is a candidate if a pattern begins there; others may be candidates, also beyond the
// text's ends.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/filters.hpp>
#include <colonnade/detail/string_matching/sets/lookup.hpp>

namespace colonnade::detail {

/// How far a lane's positions begin before its bytes.
constexpr uint32_t bytes_before = 3;

/// Fills the filters of a block. Called by all its threads.
template <class Filters, class Machine>
COLONNADE_KERNEL_CODE void fill_filters(const Machine &machine, const set_tables &set,
                                        Filters &filters) {
  uint32_t *const words = reinterpret_cast<uint32_t *>(&filters);
  static_assert(Filters::words % 4 == 0);
  for (uint32_t i = 4 * machine.thread(); i < Filters::words; i += 4 * machine.num_threads()) {
    const sixteen_bytes vector = aligned_vector(reinterpret_cast<const uint8_t *>(set.filters + i));
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4; ++k)
      words[i + k] = vector.word[k];
  }
  machine.block_sync();
}

template <class Tuning, class Filters, class Machine> class set_searcher {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads,
                            step_slots = step_bytes / windows_per_slot;
  static_assert(loads >= 1 && loads <= 4); // candidates are 64 bits

  COLONNADE_KERNEL_CODE set_searcher(const Machine &machine, const set_job &job,
                                     const Filters &filters)
      : machine_(machine), job_(job), filters_(filters), text_(job.text, job.num_items) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_bytes;
  }
  /// Of the first of this lane's positions in a row of the step at `at`; before the text's begin it
  /// is beyond any text.
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t at, uint32_t row) const {
    return at + row * row_bytes + machine_.lane() * 16 - bytes_before - text_.begin;
  }

  /// each(at, candidates): a step with candidates in any lane (bit 16 * row + i: at position(at,
  /// row) + i), called by all lanes.
  template <class Each> COLONNADE_KERNEL_CODE void steps(uint64_t segment, Each each) const {
    uint64_t at = segment_begin(segment);
    for (uint32_t round = 0; round < job_.rounds && at < text_.end + bytes_before;
         ++round, at += step_bytes) {
      const bool inside = at != 0 && text_.holds(at - 4, step_bytes + 8);
      const uint64_t candidates = inside ? step<true>(at) : step<false>(at);
      if (machine_.ballot(candidates != 0))
        each(at, candidates);
    }
  }

private:
  template <bool Inside> COLONNADE_KERNEL_CODE uint64_t step(uint64_t at) const {
    sixteen_bytes row[loads];
    const uint64_t mine = at + machine_.lane() * 16;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k) {
      const uint64_t offset = mine + k * row_bytes;
      row[k] = Inside ? aligned_vector(text_.at(offset)) : text_.vector(offset);
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4 * loads; ++k)
      row[k / 4].word[k % 4] |= job_.set.fold;
    uint64_t candidates = 0;
    if constexpr (Filters::has_short)
      candidates = short_candidates<Inside>(at, row);
    if constexpr (Filters::has_long) {
      uint32_t units = 0; // bit 4 * row + i
      COLONNADE_UNROLL
      for (uint32_t u = 4 * loads; u-- > 0;)
        units = 2 * units + (filters_.units.has(row[u / 4].word[u % 4]) & 1);
      for (; units; units &= units - 1) {
        const uint32_t unit = machine_.first_one(units);
        candidates |= uint64_t{long_candidates<Inside>(mine + unit / 4 * row_bytes + unit % 4 * 4)}
                      << 4 * unit;
      }
    }
    return candidates;
  }
  template <bool Inside>
  COLONNADE_KERNEL_CODE uint64_t short_candidates(uint64_t at,
                                                  const sixteen_bytes (&row)[loads]) const {
    uint32_t halves[2] = {0, 0};
    const uint32_t before = word<Inside>(at - 4);
    COLONNADE_UNROLL
    for (uint32_t k = loads; k-- > 0;) {
      // A lane's first windows begin in the last word of the lane before, or of the row before.
      const uint32_t last = k == 0 ? before : row[k == 0 ? 0 : k - 1].word[3];
      uint32_t low =
          machine_.shuffle(machine_.lane() == 31 ? last : row[k].word[3], machine_.lane() + 31);
      uint32_t bits = 0;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t high = row[k].word[i];
        COLONNADE_UNROLL
        for (uint32_t b = 0; b < 4; ++b) {
          const uint32_t window = b == 3 ? high : window_of(low, high, (b + 1) % 4);
          bits |= (filters_.shorts.has_one(window & job_.set.short_mask) & 1) << (4 * i + b);
        }
        low = high;
      }
      halves[k / 2] |= bits << 16 * (k % 2);
    }
    return halves[0] | uint64_t{halves[1]} << 32;
  }
  /// Of the four positions from 3 before a word on.
  template <bool Inside> COLONNADE_KERNEL_CODE uint32_t long_candidates(uint64_t offset) const {
    const uint32_t before = word<Inside>(offset - 4), here = word<Inside>(offset),
                   behind = word<Inside>(offset + 4);
    uint32_t candidates = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t low = i == 3 ? here : window_of(before, here, (i + 1) % 4),
                     high = i == 3 ? behind : window_of(here, behind, (i + 1) % 4);
      candidates |= (filters_.beginnings.has(mixed(low, high & job_.set.beginning_mask)) & 1) << i;
    }
    return candidates;
  }
  /// Of the text, or 0; offset: also before the text's first vector.
  template <bool Inside> COLONNADE_KERNEL_CODE uint32_t word(uint64_t offset) const {
    const bool before = !Inside && static_cast<int64_t>(offset) < 0;
    return (Inside   ? aligned_word(text_.at(offset))
            : before ? 0
                     : text_.word(offset)) |
           job_.set.fold;
  }

  const Machine &machine_;
  const set_job &job_;
  const Filters &filters_;
  const window_text<1> text_;
};

} // namespace colonnade::detail

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

/// An aligned word of the text and its neighbours, with the bit of case set where it is folded.
struct text_words {
  uint32_t before, here, behind;

  /// The first four of eight bytes from 3 - i before the word on, and the others.
  COLONNADE_KERNEL_CODE uint32_t low(uint32_t i) const {
    return i == 3 ? here : window_of(before, here, i + 1);
  }
  COLONNADE_KERNEL_CODE uint32_t high(uint32_t i) const {
    return i == 3 ? behind : window_of(here, behind, i + 1);
  }
};

template <class Tuning, class Filters, class Machine> class set_searcher {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads;
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
    each_step(segment, [&](uint64_t at, bool inside, uint32_t units, uint64_t candidates) {
      for (; units; units &= units - 1) {
        const uint32_t unit = machine_.first_one(units);
        const uint64_t offset = at + machine_.lane() * 16 + unit / 4 * row_bytes + unit % 4 * 4;
        candidates |= uint64_t{long_candidates(offset, inside)} << 4 * unit;
      }
      if (machine_.ballot(candidates != 0))
        each(at, candidates);
    });
  }
  /// each(has, position): a candidate, if this lane has one more; in any order, called by all
  /// lanes. Candidates lie together, so the words of a row are dealt out to the lanes before they
  /// are looked at.
  template <class Each> COLONNADE_KERNEL_CODE void candidates(uint64_t segment, Each each) const {
    each_step(segment, [&](uint64_t at, bool inside, uint32_t units, uint64_t candidates) {
      if (machine_.ballot(units != 0 || candidates != 0) == 0)
        return;
      if constexpr (Filters::has_long)
        units = dealt<1>(units);
      if constexpr (Filters::has_short)
        candidates = dealt<4>(candidates);
      const uint64_t mine = at + machine_.lane() * 4; // bit 4 * row + i: 128 * i bytes further
      for (; units; units &= units - 1) {
        const uint32_t unit = machine_.first_one(units);
        candidates |= uint64_t{long_candidates(mine + unit * (row_bytes / 4), inside)} << 4 * unit;
      }
      COLONNADE_UNROLL_BY(1)
      for (; machine_.ballot(candidates != 0); candidates &= candidates - 1) {
        const uint32_t low = static_cast<uint32_t>(candidates), high = candidates >> 32,
                       bit = low ? machine_.first_one(low) : 32 + machine_.first_one(high);
        each(candidates != 0,
             mine + bit / 4 * (row_bytes / 4) + bit % 4 - bytes_before - text_.begin);
      }
    });
  }

private:
  /// Bits of the words of a step, Width each: word i of a lane's vector of a row goes to lane (4 *
  /// lane + i) % 32, which has words 32 apart instead of 4 that follow each other.
  template <uint32_t Width, class Bits> COLONNADE_KERNEL_CODE Bits dealt(Bits bits) const {
    constexpr Bits one_a_row = Width == 1 ? Bits{0x1111} : static_cast<Bits>(0x000f000f000f000full);
    const uint32_t lane = machine_.lane();
    Bits mine = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 4; ++i) {
      const Bits other = machine_.shuffle(bits, lane / 4 + 8 * i);
      mine |= (other >> Width * (lane % 4) & one_a_row) << Width * i;
    }
    return mine;
  }
  /// Of the four positions from 3 before a word on.
  COLONNADE_KERNEL_CODE uint32_t long_candidates(uint64_t offset, bool inside) const {
    uint32_t candidates = 0;
    if constexpr (Filters::has_long) {
      const text_words words = words_around(offset, inside);
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t bytes = mixed(words.low(i), words.high(i) & job_.set.beginning_mask);
        candidates |= (filters_.beginnings.has(bytes) & 1) << i;
      }
    }
    return candidates;
  }
  /// work(at, inside, units, candidates): a step; which of this lane's words units has (bit 4 * row
  /// + i), and the candidates that shorts has.
  template <class Work> COLONNADE_KERNEL_CODE void each_step(uint64_t segment, Work work) const {
    uint64_t at = segment_begin(segment);
    for (uint32_t round = 0; round < job_.rounds && at < text_.end + bytes_before;
         ++round, at += step_bytes) {
      const bool inside = at != 0 && text_.holds(at - 4, step_bytes + 8);
      uint32_t units = 0;
      uint64_t candidates = 0;
      if (inside)
        look_up<true>(at, units, candidates);
      else
        look_up<false>(at, units, candidates);
      work(at, inside, units, candidates);
    }
  }
  template <bool Inside>
  COLONNADE_KERNEL_CODE void look_up(uint64_t at, uint32_t &units, uint64_t &candidates) const {
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
    if constexpr (Filters::has_short)
      candidates = short_candidates<Inside>(at, row);
    if constexpr (Filters::has_long) {
      COLONNADE_UNROLL
      for (uint32_t u = 4 * loads; u-- > 0;)
        units = 2 * units + (filters_.units.has(row[u / 4].word[u % 4]) & 1);
    }
  }
  template <bool Inside>
  COLONNADE_KERNEL_CODE uint64_t short_candidates(uint64_t at,
                                                  const sixteen_bytes (&row)[loads]) const {
    uint32_t halves[2] = {0, 0};
    const uint32_t before =
        (Inside ? aligned_word(text_.at(at - 4)) : word_or_none(at - 4)) | job_.set.fold;
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
  COLONNADE_KERNEL_CODE text_words words_around(uint64_t offset, bool inside) const {
    const uint32_t fold = job_.set.fold;
    if (!inside)
      return {word_or_none(offset - 4) | fold, word_or_none(offset) | fold,
              word_or_none(offset + 4) | fold};
    const uint8_t *const from = text_.at(offset);
    return {aligned_word(from - 4) | fold, aligned_word(from) | fold,
            aligned_word(from + 4) | fold};
  }
  /// Of the text, or 0; offset: also before the text's first vector.
  COLONNADE_KERNEL_CODE uint32_t word_or_none(uint64_t offset) const {
    return static_cast<int64_t>(offset) < 0 ? 0 : text_.word(offset);
  }

  const Machine &machine_;
  const set_job &job_;
  const Filters &filters_;
  const window_text<1> text_;
};

} // namespace colonnade::detail

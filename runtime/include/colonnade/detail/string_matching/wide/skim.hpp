//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// skim.hpp: a warp reads a segment of a text of 16-bit characters and finds where the pattern is:
// by a part of it of up to four characters, which is compared at every position, and the whole of
// it where that part is.
//
// In: a job whose positions, lengths and offsets are in characters, and a segment's number. Out:
// matches, by rows of 8 positions a lane, ascending. Invariant: every position of the text belongs
// to one row of one segment. As ../skim.hpp, whose divisions of a text these are, in bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/verify.hpp>

namespace colonnade::detail {

/// Up to four characters, the first lowest.
struct wide_part {
  uint32_t low, high;
};
COLONNADE_KERNEL_CODE uint32_t two_characters(const uint16_t *from) {
  return from[0] | uint32_t{from[1]} << 16;
}

/// Width: characters of the part; below 4 that is all of the pattern.
template <class Tuning, uint32_t Width, class Machine> class wide_skimmer {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads,
                            step_windows = step_bytes / 2,
                            step_slots = step_bytes / windows_per_slot, noted_windows = 8;

  COLONNADE_KERNEL_CODE wide_skimmer(const Machine &machine, const matching_job &job)
      : wide_skimmer(machine, job, job.chosen ? job.chosen->offset : job.choice.offset) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_windows;
  }
  COLONNADE_KERNEL_CODE bool is_in_text(uint64_t segment) const {
    return segment_begin(segment) < text_.end / 2;
  }
  /// Of a window, by its offset.
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t offset) const {
    return offset - text_.begin / 2;
  }

  /// each(offset, matches): a row's matches (bit i: at offset + i), called by all lanes; it says
  /// whether to go on. Rows without candidates are left out.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    const uint64_t end = text_.end / 2;
    uint64_t at = segment_begin(segment);
    verifier_type verifier(machine_, job_, last_character(segment));
    for (uint32_t round = 0; round < job_.rounds && at < end; ++round, at += step_windows) {
      uint32_t unused = 0, some = ~0u; // bits: rows in which this lane may have matches
      const bool decided = verifier.decides(position(at), step_windows);
      if (!decided && holds_step(at)) {
        some = step<false>(at, unused);
        if (machine_.ballot(some != 0) == 0)
          continue;
      }
      COLONNADE_UNROLL_BY(1)
      for (uint32_t row = 0; row < loads; ++row) {
        if (machine_.ballot(some >> row & 1) == 0)
          continue;
        const uint64_t mine = at + (row * 32 + machine_.lane()) * 8;
        if (!each(mine,
                  decided ? verifier.decided(position(mine)) & 0xff : row_matches(mine, verifier)))
          return;
      }
    }
  }
  /// This lane's share of the number of matches.
  COLONNADE_KERNEL_CODE uint32_t count(uint64_t segment) const {
    uint32_t found = 0;
    const auto add = [&](uint64_t, uint32_t matches) {
      found += machine_.count_ones(matches);
      return true;
    };
    if (Width == 4 || job_.fold != 0) {
      rows(segment, add);
      return found;
    }
    uint64_t at = segment_begin(segment);
    verifier_type verifier(machine_, job_, 0); // not asked: the part is all of the pattern
    for (uint32_t round = 0; round < job_.rounds && at < text_.end / 2; ++round, at += step_windows)
      if (holds_step(at))
        step<true>(at, found);
      else
        for (uint32_t row = 0; row < loads; ++row) {
          const uint64_t mine = at + (row * 32 + machine_.lane()) * 8;
          add(mine, row_matches(mine, verifier));
        }
    return found;
  }

private:
  using verifier_type = verifier<Machine, 16, uint16_t>;
  static constexpr uint32_t bytes_after = Width == 4 ? 8 : 4; // that windows of a step reach into
  static constexpr uint32_t low_mask = Width == 1 ? 0xffff : ~0u, high_mask = Width < 3    ? 0
                                                                              : Width == 3 ? 0xffff
                                                                                           : ~0u;

  COLONNADE_KERNEL_CODE wide_skimmer(const Machine &machine, const matching_job &job,
                                     uint64_t offset)
      : machine_(machine), job_(job), part_(part_at(job, offset)),
        text_(job.text + 2 * offset, 2 * job.num_positions) {}

  /// Behind the pattern there are zeros.
  COLONNADE_KERNEL_CODE static wide_part part_at(const matching_job &job, uint64_t offset) {
    const auto *const pattern = reinterpret_cast<const uint16_t *>(job.pattern) + offset;
    return {two_characters(pattern) & low_mask, two_characters(pattern + 2) & high_mask};
  }
  COLONNADE_KERNEL_CODE bool holds_step(uint64_t at) const {
    return text_.holds(2 * at, step_bytes + bytes_after);
  }
  /// Behind the last place in the text that begins in this segment.
  COLONNADE_KERNEL_CODE uint64_t last_character(uint64_t segment) const {
    const uint64_t end = segment_begin(segment + 1), last = text_.end / 2;
    return position(end < last ? end : last) - 1 + job_.length;
  }
  /// Zero where the part begins with the first character of `low`; wanted: the part, case bits set
  /// where the text has them set.
  COLONNADE_KERNEL_CODE static uint32_t differing(uint32_t low, uint32_t high,
                                                  const wide_part &wanted) {
    const uint32_t differs = (low ^ wanted.low) & low_mask;
    return Width < 3 ? differs : differs | ((high ^ wanted.high) & high_mask);
  }
  /// Bits of this lane's rows of a step, all of which may be read, in which the part is; if case is
  /// folded, other characters may be taken for it. Counts: adds how often.
  template <bool Counts> COLONNADE_KERNEL_CODE uint32_t step(uint64_t at, uint32_t &found) const {
    sixteen_bytes row[loads];
    const uint8_t *const from = text_.at(2 * at);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k)
      row[k] = aligned_vector(from + k * row_bytes + machine_.lane() * 16);
    const uint32_t after[2] = {aligned_word(from + step_bytes) | job_.fold,
                               Width < 4 ? 0 : aligned_word(from + step_bytes + 4) | job_.fold};
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4 * loads; ++k)
      row[k / 4].word[k % 4] |= job_.fold;
    const wide_part wanted{part_.low | (job_.fold & low_mask),
                           part_.high | (job_.fold & high_mask)};
    uint32_t some = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k) {
      bool any = false;
      uint32_t word[6]; // with what a lane's last windows end in
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i)
        word[i] = row[k].word[i];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t behind = k + 1 < loads ? row[k + 1 < loads ? k + 1 : k].word[i] : after[i];
        word[4 + i] =
            Width == 1 || (Width < 4 && i == 1)
                ? 0
                : machine_.shuffle(machine_.lane() == 0 ? behind : word[i], machine_.lane() + 1);
      }
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t second = window_of(word[i], word[i + 1], 2),
                       fourth = window_of(word[i + 1], word[i + 2], 2);
        const bool even = differing(word[i], word[i + 1], wanted) == 0,
                   odd = differing(second, fourth, wanted) == 0;
        any |= even | odd;
        if constexpr (Counts)
          found += uint32_t{even} + uint32_t{odd};
      }
      some |= uint32_t{any} << k;
    }
    return some;
  }
  /// Of the 8 positions from this offset on.
  COLONNADE_KERNEL_CODE uint32_t row_matches(uint64_t mine, verifier_type &verifier) const {
    const sixteen_bytes row = text_.vector(2 * mine);
    const uint32_t word[6] = {row.word[0],
                              row.word[1],
                              row.word[2],
                              row.word[3],
                              text_.word(2 * mine + 16),
                              Width < 4 ? 0 : text_.word(2 * mine + 20)};
    const uint32_t low_ignored = letters<uint16_t>::ignored(part_.low, job_.fold),
                   high_ignored = letters<uint16_t>::ignored(part_.high, job_.fold);
    uint32_t matches = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t low = window_of(word[i / 2], word[i / 2 + 1], i % 2 * 2),
                     high = window_of(word[i / 2 + 1], word[i < 6 ? i / 2 + 2 : 5], i % 2 * 2);
      matches |= uint32_t{differing(low | low_ignored, high | high_ignored, part_) == 0} << i;
    }
    const uint64_t begin = text_.begin / 2, end = text_.end / 2;
    if (mine < begin)
      matches &= begin - mine < 8 ? ~0u << (begin - mine) : 0;
    if (mine + 8 > end)
      matches &= mine < end ? (1u << (end - mine)) - 1 : 0;
    if (Width < 4 || job_.length == Width)
      return matches;
    return verifier.matches(matches, position(mine));
  }

  const Machine &machine_;
  const matching_job &job_;
  const wide_part part_;
  const window_text<2 * Width - 1> text_; // in bytes: of two windows the second begins nowhere
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// skim.hpp: a warp reads a segment of the text and finds where the pattern is: by a part of it of
// up to four bytes, which is compared at every position, and the whole of it where that part is.
//
// In: a job and a segment's number. Out: matches, by rows of 16 positions a lane, ascending.
// Invariant: every position of the text belongs to one row of one segment.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/block_scan.hpp>
#include <colonnade/detail/string_matching/verify.hpp>

namespace colonnade::detail {

/// Width: bytes of the part; below 4 that is all of the pattern.
template <class Tuning, uint32_t Width, class Machine> class skimmer {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads,
                            step_slots = step_bytes / windows_per_slot, noted_windows = 16;

  COLONNADE_KERNEL_CODE skimmer(const Machine &machine, const matching_job &job)
      : machine_(machine), job_(job), choice_(job.chosen ? *job.chosen : job.choice),
        text_(job.text + choice_.offset, job.num_positions) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_bytes;
  }
  COLONNADE_KERNEL_CODE bool is_in_text(uint64_t segment) const {
    return segment_begin(segment) < text_.end;
  }
  /// Of a window, by its offset.
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t offset) const { return offset - text_.begin; }

  /// each(offset, matches): a row's matches (bit i: at offset + i), called by all lanes; it says
  /// whether to go on. Rows without candidates are left out.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    if constexpr (Width == 4)
      if (part_is_rare())
        return rows_of_rare(segment, each);
    rows_of_all(segment, each);
  }
  /// This lane's share of the number of matches.
  COLONNADE_KERNEL_CODE uint32_t count(uint64_t segment) const {
    uint32_t found = 0;
    const auto add = [&](uint64_t, uint32_t matches) {
      found += machine_.count_ones(matches);
      return true;
    };
    if (job_.fold != 0 || part_is_rare()) {
      rows(segment, add);
      return found;
    }
    uint64_t at = segment_begin(segment); // the part is all of the pattern
    for (uint32_t round = 0; round < job_.rounds && at < text_.end; ++round, at += step_bytes)
      if (text_.holds(at, step_bytes + 4)) {
        const uint64_t there = windows_of_step(at);
        found += machine_.count_ones(static_cast<uint32_t>(there)) +
                 machine_.count_ones(static_cast<uint32_t>(there >> 32));
      } else {
        for (uint32_t row = 0; row < loads; ++row) {
          const uint64_t mine = at + row * row_bytes + machine_.lane() * 16;
          add(mine, row_windows(mine));
        }
      }
    return found;
  }

protected:
  /// Behind the last place in the text that begins in this segment.
  COLONNADE_KERNEL_CODE uint64_t last_byte(uint64_t segment) const {
    const uint64_t end = segment_begin(segment + 1);
    return position(end < text_.end ? end : text_.end) - 1 + job_.length;
  }
  /// Of the 16 windows from this offset on those with the part; the text is read for them.
  COLONNADE_KERNEL_CODE uint32_t row_windows(uint64_t mine) const {
    constexpr uint32_t mask = Width == 4 ? ~0u : (1u << 8 * (Width % 4)) - 1;
    const sixteen_bytes row = text_.vector(mine);
    const uint32_t after = text_.word(mine + 16);
    const uint32_t ignored = ignored_bits(choice_.word, job_.fold);
    uint32_t matches = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t low = row.word[i / 4], high = i < 12 ? row.word[(i / 4 + 1) % 4] : after;
      if (((window_of(low, high, i % 4) | ignored) & mask) == choice_.word)
        matches |= 1u << i;
    }
    if (mine < text_.begin)
      matches &= text_.begin - mine < 16 ? ~0u << (text_.begin - mine) : 0;
    if (mine + 16 > text_.end)
      matches &= mine < text_.end ? (1u << (text_.end - mine)) - 1 : 0;
    return matches;
  }

  const Machine &machine_;
  const matching_job &job_;
  const skim_choice choice_;
  const window_text<Width> text_;

private:
  static_assert(loads <= 4, "a lane's windows of a step are 64 bits");

  /// Whether the part is not all of the pattern; then it was chosen to be rare.
  COLONNADE_KERNEL_CODE bool part_is_rare() const { return Width == 4 && job_.length != Width; }
  /// Where the part is all of the pattern.
  template <class Each> COLONNADE_KERNEL_CODE void rows_of_all(uint64_t segment, Each each) const {
    uint64_t at = segment_begin(segment);
    for (uint32_t round = 0; round < job_.rounds && at < text_.end; ++round, at += step_bytes) {
      const bool skimmed = text_.holds(at, step_bytes + 4), exact = skimmed && job_.fold == 0;
      uint64_t there = skimmed ? windows_of_step(at) : ~uint64_t{0};
      if (machine_.ballot(there != 0) == 0)
        continue;
      COLONNADE_UNROLL_BY(1)
      for (uint32_t row = 0; row < loads; ++row, there >>= 16) {
        const auto windows = static_cast<uint32_t>(there & 0xffff);
        if (machine_.ballot(windows != 0) == 0)
          continue;
        const uint64_t mine = at + row * row_bytes + machine_.lane() * 16;
        if (!each(mine, exact ? windows : row_windows(mine)))
          return;
      }
    }
  }
  /// Where it is not: candidates are compared.
  template <class Each> COLONNADE_KERNEL_CODE void rows_of_rare(uint64_t segment, Each each) const {
    uint64_t at = segment_begin(segment);
    verifier<Machine> verify(machine_, job_, last_byte(segment));
    for (uint32_t round = 0; round < job_.rounds && at < text_.end; ++round, at += step_bytes) {
      const bool decided = verify.decides(position(at), step_bytes),
                 skimmed = !decided && text_.holds(at, step_bytes + 4);
      uint32_t some = ~0u; // bits: rows in which this lane may have matches
      if (skimmed) {
        some = rows_of_step(at);
        if (machine_.ballot(some != 0) == 0)
          continue;
      }
      COLONNADE_UNROLL_BY(1)
      for (uint32_t row = 0; row < loads; ++row) {
        if (machine_.ballot(some >> row & 1) == 0)
          continue;
        const uint64_t mine = at + row * row_bytes + machine_.lane() * 16, first = position(mine);
        if (!each(mine, decided ? verify.decided(first) : verify.matches(row_windows(mine), first)))
          return;
      }
    }
  }
  /// Of a step, all of which may be read: row(k, words), this lane's four words of row k and the
  /// one behind them; case bits are set if case is folded.
  template <class Row> COLONNADE_KERNEL_CODE void each_row(uint64_t at, Row row) const {
    sixteen_bytes loaded[loads];
    const uint8_t *const from = text_.at(at);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k)
      loaded[k] = aligned_vector(from + k * row_bytes + machine_.lane() * 16);
    uint32_t after = aligned_word(from + step_bytes);
    if (job_.fold != 0) {
      after |= job_.fold;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4 * loads; ++k)
        loaded[k / 4].word[k % 4] |= job_.fold;
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k) {
      const auto &word = loaded[k].word;
      // A lane's last windows end in the next lane's first word, the last lane's in the next row.
      const uint32_t behind = k + 1 < loads ? loaded[k + 1 < loads ? k + 1 : k].word[0] : after;
      const uint32_t next =
          machine_.shuffle(machine_.lane() == 0 ? behind : word[0], machine_.lane() + 1);
      const uint32_t words[5] = {word[0], word[1], word[2], word[3], next};
      row(k, words);
    }
  }
  /// Of this lane's windows of a step those with the part, 16 bits a row, the first row lowest; if
  /// case is folded, other bytes may be taken for it.
  COLONNADE_KERNEL_CODE uint64_t windows_of_step(uint64_t at) const {
    uint32_t there[4] = {};
    const uint32_t wanted = choice_.word | job_.fold;
    each_row(at, [&](uint32_t k, const uint32_t(&words)[5]) {
      uint32_t bytes[4];
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i)
        bytes[i] = part_windows(words[i], words[i + 1], wanted);
      there[k] = bits_of_bytes(bytes);
    });
    return there[0] | there[1] << 16 | uint64_t{there[2] | there[3] << 16} << 32;
  }
  /// Bits: the rows of a step in which this lane has a part of four bytes, or what may be taken for
  /// it. This is less work for each window, and all that is asked where the part is rare.
  COLONNADE_KERNEL_CODE uint32_t rows_of_step(uint64_t at) const {
    uint32_t some = 0;
    const uint32_t wanted = choice_.word | job_.fold;
    each_row(at, [&](uint32_t k, const uint32_t(&words)[5]) {
      bool any = false;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 16; ++i)
        any |= window_of(words[i / 4], words[i / 4 + 1], i % 4) == wanted;
      some |= uint32_t{any} << k;
    });
    return some;
  }
  /// Bit 7 of each of four bytes where the part begins.
  COLONNADE_KERNEL_CODE uint32_t part_windows(uint32_t low, uint32_t high, uint32_t wanted) const {
    uint32_t differ = low ^ (wanted & 0xff) * 0x01010101u;
    COLONNADE_UNROLL
    for (uint32_t b = 1; b < Width; ++b)
      differ |= window_of(low, high, b) ^ (wanted >> 8 * b & 0xff) * 0x01010101u;
    return zero_bytes(differ);
  }
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// skim.hpp: a warp reads a segment of a text of packed characters and finds where the pattern is:
// by 16 bits of it, which are compared at every position of a word at once, and the whole of it
// where those are.
//
// In: a job and a segment's number. Out: matches, a word of the text a lane, ascending. Invariant:
// every position of the text belongs to one word of one segment.
//
// Wherever a pattern of nearly 32 (64) bits and more is, one of its windows of 16 (32) bits lies at
// a multiple of 16 (32) bits. So of such patterns' texts only these units are looked up, in a table
// of 2^16 bits, units of 32 by a hash; a unit that is in it means that the part may begin in that
// unit.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/packed/verify.hpp>

namespace colonnade::detail {

/// A bit for each unit, or its hash: whether it is one of the windows around the part.
struct unit_table {
  static constexpr uint32_t index_bits = 16;
  uint32_t words[(1u << index_bits) / 32];

  COLONNADE_HOST_DEVICE static uint32_t hash(uint32_t unit) {
    return unit * 0x9e3779b1u >> (32 - index_bits);
  }
  /// In the lowest bit.
  COLONNADE_KERNEL_CODE uint32_t has(uint32_t index) const {
    return words[index / 32] >> index % 32;
  }
};
/// By all threads of a block. Ends with a barrier.
template <uint32_t Bits, class Machine>
COLONNADE_KERNEL_CODE void fill_table(const Machine &machine, const packed_job &job,
                                      unit_table &table) {
  for (uint32_t i = machine.thread(); i < (1u << unit_table::index_bits) / 32;
       i += machine.num_threads())
    table.words[i] = 0;
  machine.block_sync();
  const uint32_t per_unit = job.unit_bits / Bits;
  if (machine.thread() == 0)
    for (uint32_t j = 0; j < per_unit; ++j) {
      const uint64_t bit = (job.choice.offset - (per_unit - 1) + j) * Bits;
      const uint32_t *const word = reinterpret_cast<const uint32_t *>(job.pattern) + bit / 32;
      const uint32_t window = bits_from(word[0], word[1], bit % 32),
                     unit = job.highest_first ? reversed_in_bytes(window) : window,
                     index = job.unit_bits == 32 ? unit_table::hash(unit) : unit & 0xffff;
      table.words[index / 32] |= 1u << index % 32;
    }
  machine.block_sync();
}

/// What a skimmer is made from.
struct packed_view {
  const packed_job &job;
  const unit_table &table;
  COLONNADE_KERNEL_CODE operator const matching_job &() const { return job; }
};

template <class Tuning, uint32_t Bits, class Machine> class packed_skimmer : packed_shape<Bits> {
  using packed_shape<Bits>::per_byte;
  using packed_shape<Bits>::per_word;
  using packed_shape<Bits>::per_part;
  using packed_shape<Bits>::row_windows;
  using packed_shape<Bits>::lowest_bits;

public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads,
                            step_windows = row_windows * loads,
                            step_slots = step_bytes / windows_per_slot, noted_windows = 0;

  COLONNADE_KERNEL_CODE packed_skimmer(const Machine &machine, const packed_view &view)
      : machine_(machine), job_(view.job), table_(view.table), text_(job_, job_.choice.offset),
        end_(text_.begin + job_.num_positions) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_windows;
  }
  COLONNADE_KERNEL_CODE bool is_in_text(uint64_t segment) const {
    return segment_begin(segment) < end_;
  }
  /// Of a window, by its offset.
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t offset) const { return offset - text_.begin; }

  /// each(offset, matches): a word's matches (bit i: at offset + i), called by all lanes; it says
  /// whether to go on. Rows without candidates are left out.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    uint64_t at = segment_begin(segment);
    verifier_type verifier(machine_, job_, last_character(segment));
    for (uint32_t round = 0; round < job_.rounds && at < end_; ++round, at += step_windows) {
      uint32_t unused = 0, candidates = ~0u;
      if (text_.holds(at, step_bytes + 4)) {
        candidates = job_.unit_bits ? looked_up(at) : compared<false>(at, unused);
        if (machine_.ballot(candidates != 0) == 0)
          continue;
      }
      COLONNADE_UNROLL_BY(1)
      for (uint32_t row = 0; row < loads; ++row) {
        if (machine_.ballot(candidates >> row & 1) == 0)
          continue;
        COLONNADE_UNROLL_BY(1)
        for (uint32_t piece = 0; piece < 4; ++piece) {
          const uint64_t mine = at + row * row_windows + (piece * 32 + machine_.lane()) * per_word;
          if (!each(mine, word_matches(mine, verifier)))
            return;
        }
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
    if (job_.length > per_part || job_.num_unknown) {
      rows(segment, add);
      return found;
    }
    uint64_t at = segment_begin(segment);
    verifier_type verifier(machine_, job_, 0); // has nothing to compare: the part is all
    for (uint32_t round = 0; round < job_.rounds && at < end_; ++round, at += step_windows)
      if (text_.holds(at, step_bytes + 4) && at >= text_.begin && at + step_windows <= end_)
        compared<true>(at, found);
      else
        for (uint32_t piece = 0; piece < 4 * loads; ++piece) {
          const uint64_t mine = at + (piece * 32 + machine_.lane()) * per_word;
          add(mine, word_matches(mine, verifier));
        }
    return found;
  }

private:
  using verifier_type = packed_verifier<Bits, Machine>;

  /// Behind the last place in the text that begins in this segment.
  COLONNADE_KERNEL_CODE uint64_t last_character(uint64_t segment) const {
    const uint64_t end = segment_begin(segment + 1);
    return (end < end_ ? end : end_) - text_.begin - 1 + job_.length;
  }
  COLONNADE_KERNEL_CODE void load(uint64_t at, sixteen_bytes (&row)[loads]) const {
    const uint8_t *const from = text_.at(at);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k)
      row[k] = aligned_vector(from + k * row_bytes + machine_.lane() * 16);
  }
  /// Bit k: whether the part may begin in this lane's vector of row k of a step.
  COLONNADE_KERNEL_CODE uint32_t looked_up(uint64_t at) const {
    sixteen_bytes row[loads];
    load(at, row);
    uint32_t candidates = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k) {
      uint32_t any = 0;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i)
        any |= has_unit(row[k].word[i]);
      candidates |= (any & 1) << k;
    }
    return candidates;
  }
  COLONNADE_KERNEL_CODE uint32_t has_unit(uint32_t word) const {
    if (job_.unit_bits == 32)
      return table_.has(unit_table::hash(word));
    return table_.has(word % 65536) | table_.has(word / 65536);
  }
  /// The same by comparing. Counts: adds how often.
  template <bool Counts>
  COLONNADE_KERNEL_CODE uint32_t compared(uint64_t at, uint32_t &found) const {
    sixteen_bytes row[loads];
    load(at, row);
    if (job_.highest_first) {
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4 * loads; ++k)
        row[k / 4].word[k % 4] = reversed_in_bytes(row[k / 4].word[k % 4]);
    }
    const uint32_t after = text_.ordered(aligned_word(text_.at(at) + step_bytes));
    uint32_t candidates = 0;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k) {
      // A lane's last windows end in the next lane's first word, the last lane's in the next row.
      const uint32_t behind = k + 1 < loads ? row[k + 1 < loads ? k + 1 : k].word[0] : after;
      const uint32_t next =
          machine_.shuffle(machine_.lane() == 0 ? behind : row[k].word[0], machine_.lane() + 1);
      uint32_t any = 0;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t there =
            part_windows(row[k].word[i], i < 3 ? row[k].word[(i + 1) % 4] : next);
        any |= there;
        if constexpr (Counts)
          found += machine_.count_ones(there);
      }
      candidates |= uint32_t{any != 0} << k;
    }
    return candidates;
  }
  /// The lowest bit of each character of `low` where the part begins. Unrolled: by how many
  /// characters, since where it is not in haste they would only cost registers.
  template <uint32_t Unrolled = per_part>
  COLONNADE_KERNEL_CODE uint32_t part_windows(uint32_t low, uint32_t high) const {
    uint32_t differ = low ^ job_.part_words[0];
    COLONNADE_UNROLL_BY(Unrolled)
    for (uint32_t j = 1; j < per_part; ++j)
      differ |= bits_from(low, high, job_.part_shifts[j]) ^ job_.part_words[j];
    if constexpr (Bits >= 2)
      differ |= differ >> 1;
    if constexpr (Bits == 4)
      differ |= differ >> 2;
    return ~differ & lowest_bits;
  }
  /// Of the characters of a word: bit i instead of the lowest bit of character i.
  COLONNADE_KERNEL_CODE static uint32_t closed_up(uint32_t bits) {
    if constexpr (Bits == 2) {
      bits = (bits | bits >> 1) & 0x33333333u;
      bits = (bits | bits >> 2) & 0x0f0f0f0fu;
      bits = (bits | bits >> 4) & 0x00ff00ffu;
      return (bits | bits >> 8) & 0xffffu;
    } else if constexpr (Bits == 4) {
      bits = (bits | bits >> 3) & 0x03030303u;
      bits = (bits | bits >> 6) & 0x000f000fu;
      return (bits | bits >> 12) & 0xffu;
    } else {
      return bits;
    }
  }
  /// Of the positions of the word from this offset on.
  COLONNADE_KERNEL_CODE uint32_t word_matches(uint64_t mine, verifier_type &verifier) const {
    uint32_t candidates = 0;
    if (mine < end_ && mine + per_word > text_.begin)
      candidates = closed_up(part_windows<1>(text_.word(mine), text_.word(mine + per_word)));
    if (mine < text_.begin)
      candidates &= ~0u << ((text_.begin - mine) % 32);
    if (mine < end_ && mine + per_word > end_)
      candidates &= (1u << (end_ - mine)) - 1;
    if (machine_.ballot(candidates != 0) == 0)
      return 0;
    return verifier.matches(candidates, position(mine));
  }

  const Machine &machine_;
  const packed_job &job_;
  const unit_table &table_;
  const packed_words<Bits> text_;
  const uint64_t end_; // of the windows
};

} // namespace colonnade::detail

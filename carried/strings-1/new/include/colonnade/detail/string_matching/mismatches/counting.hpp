//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// counting.hpp: a warp reads a segment of the text and finds where the pattern is, with mismatches,
// by counting these at every position, of up to 32 bytes of the pattern; of longer ones the rest is
// compared where these have few enough.
//
// In: a job and a segment's number. Out: matches, by 32 positions a lane, ascending. Invariant:
// every position of the text belongs to one word of one segment.
//
// A lane has 32 or 64 bytes of the text, as 8 planes: words of which bit i is of byte i. Where they
// differ from a byte of the pattern is known by 8 operations for 32 positions; these bits, moved by
// the byte's place in the pattern, are added to counters whose bits lie in words likewise. Counters
// begin at 15 - k, so one that runs over has more than k mismatches.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/exact/rare_code.hpp>
#include <colonnade/detail/string_matching/apart/warp.hpp>
#include <colonnade/detail/string_matching/mismatches/pieces.hpp>
#include <colonnade/detail/string_matching/mismatches/planes.hpp>

namespace colonnade::detail {

/// Of the candidates of each lane (bit i: at position + i) those of which the whole pattern has few
/// enough mismatches. Called, so that a kernel that counts has its registers for that.
template <class Machine>
COLONNADE_RARE_KERNEL_CODE uint32_t whole_matches(machine_argument<Machine> machine,
                                                  const mismatch_job &job, uint32_t candidates,
                                                  uint64_t position) {
  return mismatch_counter<Machine>(machine, job).matches(candidates, position);
}

template <class Tuning, class Machine> class counting_skimmer {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads,
                            step_slots = step_bytes / windows_per_slot, noted_windows = 0;
  static constexpr uint32_t words = loads / 2, lane_bytes = 32 * words;
  /// Of a step's positions the last 32 have no bytes behind them, so the next step begins there.
  static constexpr uint32_t advance = step_bytes - most_counted;
  static_assert(loads == 2 || loads == 4);

  COLONNADE_KERNEL_CODE counting_skimmer(const Machine &machine,
                                         const mismatch_view<byte_masks> &view)
      : machine_(machine), job_(view.job), masks_(view.table),
        text_(job_.text + job_.choice.offset, job_.num_positions + job_.part - 1),
        end_(text_.begin + job_.num_positions) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_bytes;
  }
  COLONNADE_KERNEL_CODE bool is_in_text(uint64_t segment) const {
    return segment_begin(segment) < end_;
  }
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t offset) const { return offset - text_.begin; }

  /// each(offset, matches): 32 positions a lane (bit i: at offset + i), called by all lanes; it
  /// says whether to go on. Those without candidates are left out.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    steps(segment, [&](uint64_t at, const uint32_t(&found)[words]) {
      return machine_.ballot(any_of(found)) == 0 || words_of_step(at, found, each);
    });
  }
  /// This lane's share of the number of matches.
  COLONNADE_KERNEL_CODE uint32_t count(uint64_t segment) const {
    uint32_t sum = 0;
    const auto add = [&](uint64_t, uint32_t matches) {
      sum += machine_.count_ones(matches);
      return true;
    };
    steps(segment, [&](uint64_t at, const uint32_t(&found)[words]) {
      if (job_.length > job_.part)
        return machine_.ballot(any_of(found)) == 0 || words_of_step(at, found, add);
      COLONNADE_UNROLL
      for (uint32_t w = 0; w < words; ++w)
        add(at, found[w]);
      return true;
    });
    return sum;
  }

private:
  COLONNADE_KERNEL_CODE static bool any_of(const uint32_t (&found)[words]) {
    uint32_t any = 0;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w)
      any |= found[w];
    return any != 0;
  }
  /// As rows has it: whether to go on.
  template <class Each>
  COLONNADE_KERNEL_CODE bool words_of_step(uint64_t at, const uint32_t (&found)[words],
                                           Each each) const {
    COLONNADE_UNROLL_BY(1)
    for (uint32_t k = 0; k < words; ++k) {
      const uint32_t mine = k * 32 + machine_.lane();
      const uint64_t offset = at + uint64_t{mine} * 32;
      uint32_t matches = word_of_step(found, mine);
      if (job_.length > job_.part)
        matches = whole_matches<Machine>(machine_, job_, matches, position(offset));
      if (machine_.ballot(matches != 0) && !each(offset, matches))
        return false;
    }
    return true;
  }
  /// Words follow each other in the lanes; the first 32 of a step, then the others.
  COLONNADE_KERNEL_CODE uint32_t word_of_step(const uint32_t (&found)[words], uint32_t word) const {
    uint32_t mine = 0;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w) {
      const uint32_t other = machine_.shuffle(found[w], word / words);
      mine = word % words == w ? other : mine;
    }
    return mine;
  }
  /// each(at, found): bit i of word w: at + lane * lane_bytes + 32 * w + i; it says whether to go
  /// on.
  template <class Each> COLONNADE_KERNEL_CODE void steps(uint64_t segment, Each each) const {
    const uint64_t begin = segment_begin(segment), behind = begin + job_.rounds * step_bytes,
                   end = behind < end_ ? behind : end_;
    for (uint64_t at = begin; at < end; at += advance) {
      uint32_t found[words];
      step(at, at + advance < end ? at + advance : end, found);
      if (!each(at, found))
        return;
    }
  }
  COLONNADE_KERNEL_CODE void step(uint64_t at, uint64_t end, uint32_t (&found)[words]) const {
    const uint64_t mine = at + machine_.lane() * lane_bytes;
    byte_planes planes[words];
    if (text_.holds(at, step_bytes))
      load<true>(mine, planes);
    else
      load<false>(mine, planes);
    uint32_t none[words] = {};
    if (at >= text_.begin && end - at == advance) {
      none[words - 1] = machine_.lane() == 31 ? ~0u : 0;
    } else {
      COLONNADE_UNROLL
      for (uint32_t w = 0; w < words; ++w)
        none[w] = ~in_text(mine + 32 * w, end);
    }
    count_step(planes, none, found);
  }
  /// Of the 32 positions from this offset on.
  COLONNADE_KERNEL_CODE uint32_t in_text(uint64_t offset, uint64_t end) const {
    uint32_t bits = ~0u;
    if (offset < text_.begin)
      bits = ~0u << (text_.begin - offset); // less than 16
    if (offset + 32 > end)
      bits &= offset < end ? ~0u >> (32 - (end - offset)) : 0;
    return bits;
  }
  template <bool Inside>
  COLONNADE_KERNEL_CODE void load(uint64_t mine, byte_planes (&planes)[words]) const {
    sixteen_bytes vector[loads];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k)
      vector[k] = Inside ? aligned_vector(text_.at(mine + 16 * k)) : text_.vector(mine + 16 * k);
    if (job_.fold) {
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < 4 * loads; ++k)
        vector[k / 4].word[k % 4] = folded(vector[k / 4].word[k % 4], job_.fold);
    }
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w)
      planes[w].take(vector[2 * w], vector[2 * w + 1]);
  }
  /// Until no position of the warp can be a match.
  COLONNADE_KERNEL_CODE void count_step(const byte_planes (&planes)[words],
                                        const uint32_t (&none)[words],
                                        uint32_t (&found)[words]) const {
    mismatch_counts counts[words];
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w)
      counts[w].start(job_.most, none[w]);
    bool any = true;
    uint32_t first = 0;
    COLONNADE_UNROLL_BY(1)
    for (; any && first + 4 <= job_.part; first += 4)
      any = count_four<true>(planes, first, counts);
    if (any && first < job_.part)
      count_four<false>(planes, first, counts);
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w)
      found[w] = ~counts[w].over;
  }
  /// Of four bytes of the part, or those there are; whether a position of the warp can still be a
  /// match.
  template <bool Whole>
  COLONNADE_KERNEL_CODE bool count_four(const byte_planes (&planes)[words], uint32_t first,
                                        mismatch_counts (&counts)[words]) const {
    uint32_t differ[words][4];
    COLONNADE_UNROLL
    for (uint32_t c = 0; c < 4; ++c)
      if (Whole || first + c < job_.part) {
        differ_by(planes, first + c, c, differ);
      } else {
        COLONNADE_UNROLL
        for (uint32_t w = 0; w < words; ++w)
          differ[w][c] = 0;
      }
    uint32_t all_over = ~0u;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w) {
      counts[w].add(differ[w][0], differ[w][1], differ[w][2], differ[w][3]);
      all_over &= counts[w].over;
    }
    return machine_.ballot(all_over != ~0u) != 0;
  }
  /// Bit i: whether byte i + j of the text differs from byte j of the part.
  COLONNADE_KERNEL_CODE void differ_by(const byte_planes (&planes)[words], uint32_t j, uint32_t c,
                                       uint32_t (&differ)[words][4]) const {
    const sixteen_bytes low = masks_.of[j][0], high = masks_.of[j][1];
    uint32_t here[words + 1];
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w)
      here[w] = planes[w].differ(low, high);
    here[words] = machine_.shuffle(here[0], machine_.lane() + 1);
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w)
      differ[w][c] = bits_from(here[w], here[w + 1], j);
  }

  const Machine &machine_;
  const mismatch_job &job_;
  const byte_masks &masks_;
  const window_text<1> text_;
  const uint64_t end_; // of the positions, as an offset
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// skim.hpp: a warp reads a segment of the text and finds where a pattern of character classes is:
// each lane runs through a stretch of its own and on by the pattern's length, and keeps in one word
// which beginnings of the pattern end at the byte before.
//
// In: a job and a segment's number. Out: matches, by 32 positions a lane, ascending. Invariant:
// every position of the text belongs to one stretch of one segment; no byte outside of the text is
// read.
//
// Source: R. Baeza-Yates, G. Gonnet, A new approach to text searching (1992); S. Wu, U. Manber,
// Fast text searching allowing errors (1992): Shift-And, with classes. The word moves to the right
// here: a match is its lowest bit, which joins the bits of the others by one shift.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

struct class_job : matching_job {
  const uint64_t *masks; // of each byte, as masks_of gives them
};

/// In shared memory. Wide: of more than 32 classes.
template <bool Wide> struct class_table {
  uint32_t words[Wide ? 512 : 256];

  template <class Machine>
  COLONNADE_KERNEL_CODE void fill(const Machine &machine, const class_job &job) {
    for (uint32_t b = machine.thread(); b < 256; b += machine.num_threads()) {
      const uint64_t mask = job.masks[b];
      words[b] = static_cast<uint32_t>(mask);
      if constexpr (Wide)
        words[256 + b] = static_cast<uint32_t>(mask >> 32);
    }
    machine.block_sync();
  }
};

/// Which beginnings of the pattern end here.
template <bool Wide> struct class_state {
  uint32_t low = 0, high = 0;

  /// start: the bit of the first class.
  COLONNADE_KERNEL_CODE void follow(const class_table<Wide> &table, uint32_t byte, uint32_t start) {
    if constexpr (Wide) {
      low = bits_from(low, high, 1) & table.words[byte];
      high = (high >> 1 | start) & table.words[256 + byte];
    } else {
      low = (low >> 1 | start) & table.words[byte];
    }
  }
};

/// What the skimmer takes: a job is all that the rest needs.
template <bool Wide> struct class_view {
  const class_job &job;
  const class_table<Wide> &table;
  COLONNADE_KERNEL_CODE operator const matching_job &() const { return job; }
};

template <class Tuning, bool Wide, class Machine> class class_skimmer {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads,
                            step_slots = step_bytes / windows_per_slot, noted_windows = 0,
                            stretch = 16 * loads, words = stretch / 32;
  static_assert(loads % 2 == 0);

  COLONNADE_KERNEL_CODE class_skimmer(const Machine &machine, const class_view<Wide> &view)
      : machine_(machine), job_(view.job), table_(view.table),
        text_(job_.text, job_.num_positions + job_.length - 1),
        end_(text_.begin + job_.num_positions), start_(1u << (job_.length - 1) % 32) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_bytes;
  }
  COLONNADE_KERNEL_CODE bool is_in_text(uint64_t segment) const {
    return segment_begin(segment) < end_;
  }
  COLONNADE_KERNEL_CODE uint64_t position(uint64_t offset) const { return offset - text_.begin; }

  /// each(offset, matches): 32 positions a lane (bit i: at offset + i), called by all lanes; it
  /// says whether to go on. Those without matches are left out.
  template <class Each> COLONNADE_KERNEL_CODE void rows(uint64_t segment, Each each) const {
    uint64_t at = segment_begin(segment);
    for (uint32_t round = 0; round < job_.rounds && at < end_; ++round, at += step_bytes) {
      uint32_t found[words];
      if (machine_.ballot(step(at, found)) == 0)
        continue;
      COLONNADE_UNROLL_BY(1)
      for (uint32_t k = 0; k < words; ++k) {
        const uint32_t mine = k * 32 + machine_.lane();
        const uint32_t matches = word_of_step(found, mine);
        if (machine_.ballot(matches != 0) && !each(at + uint64_t{mine} * 32, matches))
          return;
      }
    }
  }
  /// This lane's share of the number of matches.
  COLONNADE_KERNEL_CODE uint32_t count(uint64_t segment) const {
    uint32_t sum = 0;
    uint64_t at = segment_begin(segment);
    for (uint32_t round = 0; round < job_.rounds && at < end_; ++round, at += step_bytes) {
      uint32_t found[words];
      step(at, found);
      COLONNADE_UNROLL
      for (uint32_t w = 0; w < words; ++w)
        sum += machine_.count_ones(found[w]);
    }
    return sum;
  }

private:
  /// Stretches follow each other, words of 32 positions too.
  COLONNADE_KERNEL_CODE uint32_t word_of_step(const uint32_t (&found)[words], uint32_t word) const {
    uint32_t mine = 0;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w) {
      const uint32_t other = machine_.shuffle(found[w], word / words);
      mine = word % words == w ? other : mine;
    }
    return mine;
  }
  /// Whether anything was found in this lane's stretch.
  COLONNADE_KERNEL_CODE bool step(uint64_t at, uint32_t (&found)[words]) const {
    const uint64_t mine = at + machine_.lane() * stretch;
    if (text_.holds(at, step_bytes + 80))
      run<true>(mine, found);
    else
      run<false>(mine, found);
    uint32_t any = 0;
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w) {
      found[w] &= in_text(mine + 32 * w);
      any |= found[w];
    }
    return any != 0;
  }
  /// Of the 32 positions from this offset on.
  COLONNADE_KERNEL_CODE uint32_t in_text(uint64_t offset) const {
    uint32_t bits = ~0u;
    if (offset < text_.begin)
      bits &= text_.begin - offset < 32 ? ~0u << (text_.begin - offset) : 0;
    if (offset + 32 > end_)
      bits &= offset < end_ ? ~0u >> (32 - (end_ - offset)) : 0;
    return bits;
  }
  /// Bit i of all words: whether a match begins at mine + i. It is known m - 1 bytes later.
  template <bool Inside>
  COLONNADE_KERNEL_CODE void run(uint64_t mine, uint32_t (&found)[words]) const {
    constexpr uint32_t all = words + 2; // of bits that say where matches end, the last one highest
    uint32_t ends[all] = {};
    const uint32_t behind = static_cast<uint32_t>(job_.length) - 1,
                   vectors = (stretch + behind + 15) / 16;
    class_state<Wide> state;
    sixteen_bytes vector = load<Inside>(mine);
    COLONNADE_UNROLL_BY(1)
    for (uint32_t v = 1; v <= vectors; ++v) {
      const sixteen_bytes here = vector;
      vector = load<Inside>(mine + 16 * v); // one more than there are
      uint32_t bits = 0;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 16; ++i) {
        state.follow(table_, here.word[i / 4] >> 8 * (i % 4) & 0xff, start_);
        bits = bits_from(bits, state.low, 1);
      }
      COLONNADE_UNROLL
      for (uint32_t w = 0; w < all; ++w)
        ends[w] = bits_from(ends[w], w + 1 < all ? ends[w + 1 < all ? w + 1 : w] : bits >> 16, 16);
    }
    const uint32_t shift = 32 * all - 16 * vectors + behind - 32; // 17 to 32
    COLONNADE_UNROLL
    for (uint32_t w = 0; w < words; ++w)
      found[w] = static_cast<uint32_t>((ends[w + 1] | uint64_t{ends[w + 2]} << 32) >> shift);
  }
  template <bool Inside> COLONNADE_KERNEL_CODE sixteen_bytes load(uint64_t offset) const {
    return Inside ? aligned_vector(text_.at(offset)) : text_.vector(offset);
  }

  const Machine &machine_;
  const class_job &job_;
  const class_table<Wide> &table_;
  const window_text<1> text_;
  const uint64_t end_; // of the positions, as an offset
  const uint32_t start_;
};

} // namespace colonnade::detail

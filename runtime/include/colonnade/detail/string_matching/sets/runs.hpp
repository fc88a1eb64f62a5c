//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runs.hpp: matches of patterns that are one byte again and again, such as indentation, are counted
// by the lengths of runs, not position by position.
//
// In: the bytes of a warp's rows, one after the other. Out: how many matches end in them, and at
// which positions nothing else can match. Invariant: each byte of the text is looked at once, so
// each match is counted where it ends.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/text.hpp>

#include <bit>
#include <cstdint>

namespace colonnade::detail {

/// The number of the highest bit that is set; there is one.
COLONNADE_KERNEL_CODE uint32_t last_set_bit(uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return 31 - static_cast<uint32_t>(__clz(static_cast<int>(bits)));
#else
  return 31 - static_cast<uint32_t>(std::countl_zero(bits));
#endif
}

/// Patterns of 4 to 64 times one byte, which is not 0.
struct alignas(16) run_patterns {
  static constexpr uint32_t longest = 64;

  uint32_t word = 0; // the byte, four times; 0: there are no such patterns
  uint32_t number = 0;
  uint32_t ended[longest + 2] = {}; // [r]: matches that end in the first r bytes of a run

  /// Of a run so long.
  COLONNADE_HOST_DEVICE uint32_t matches(uint32_t length) const {
    return length <= longest ? ended[length] : ended[longest] + (length - longest) * number;
  }
};

/// At which positions the next 8 bytes are the runs' byte; row by row. Called by all lanes of a
/// warp.
template <class Machine> class run_windows {
public:
  COLONNADE_KERNEL_CODE explicit run_windows(const Machine &machine) : machine_(machine) {}

  /// Bit i: byte i of a lane's 16 is the byte that `word` has four times.
  COLONNADE_KERNEL_CODE static uint32_t mask_of(const sixteen_bytes &row, uint32_t word) {
    uint32_t mask = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 4; i-- > 0;) // the four bits of a word become its highest ones
      mask = shifted_in(mask, zero_bytes(row.word[i] ^ word) * 0x00204081u, 4);
    return mask;
  }
  /// So many bytes before the next row are it.
  COLONNADE_KERNEL_CODE void begin(uint32_t before) {
    last_mask_ = before < 16 ? ~0u << (16 - before) & 0xffff : 0xffff;
  }
  /// Of the positions from 8 bytes before a lane's 16 on, a bit each.
  COLONNADE_KERNEL_CODE uint32_t next(uint32_t mask) {
    const uint32_t lane = machine_.lane(),
                   before = machine_.shuffle(lane == 31 ? last_mask_ : mask, lane + 31);
    last_mask_ = mask;
    uint32_t windows = mask << 8 | before >> 8;
    windows &= windows >> 1;
    windows &= windows >> 2;
    return windows & windows >> 4 & 0xffff;
  }

private:
  const Machine &machine_;
  uint32_t last_mask_ = 0; // lane 31: of the row before
};

/// How many bytes before an offset are the runs' byte, up to `longest`. Called by all lanes of a
/// warp.
template <class Machine>
COLONNADE_KERNEL_CODE uint32_t run_before(const Machine &machine, const run_patterns &runs,
                                          const window_text<1> &text, uint64_t offset) {
  uint32_t before = 0;
  COLONNADE_UNROLL_BY(1)
  for (uint32_t k = 0; k < run_patterns::longest / 32 && before == 32 * k; ++k) {
    const uint64_t at = offset - 1 - 32 * k - machine.lane();
    const bool inside = at < offset && text.holds(at, 1);
    const uint32_t others = ~machine.ballot(inside && *text.at(at) == (runs.word & 0xff));
    before += others ? Machine::first_one(others) : 32;
  }
  return before;
}

/// Patterns of any length. Called by all lanes of a warp.
template <class Machine> class run_counter {
public:
  template <class Block>
  COLONNADE_KERNEL_CODE run_counter(const Machine &machine, const Block &block)
      : machine_(machine), runs_(block.runs), windows_(machine) {}

  COLONNADE_KERNEL_CODE uint64_t matches() const { return matches_; }

  /// The next row begins at this offset.
  COLONNADE_KERNEL_CODE void begin(const window_text<1> &text, uint64_t offset) {
    if (runs_.word == 0)
      return;
    before_ = run_before(machine_, runs_, text, offset);
    windows_.begin(before_);
  }
  /// As of run_windows, where nothing else can match.
  COLONNADE_KERNEL_CODE uint32_t count(const sixteen_bytes &row) {
    if (runs_.word == 0)
      return 0;
    const uint32_t lane = machine_.lane(), mask = windows_.mask_of(row, runs_.word),
                   others = ~mask & 0xffff;
    // Of the run that ends at the lane's first byte, and how much longer it is then.
    const uint32_t behind = others ? 15 - last_set_bit(others) : 16,
                   lead = others ? Machine::first_one(others) : 16;
    const uint32_t broken = machine_.ballot(others != 0), below = broken & ((1u << lane) - 1),
                   whole = below ? lane - 1 - last_set_bit(below) : lane;
    const uint32_t first = machine_.shuffle(behind, lane + 31 - whole);
    const uint32_t carried = 16 * whole + (whole == lane ? before_ : first);
    const uint32_t after = machine_.shuffle(others ? behind : carried + 16, 31);
    before_ = after < run_patterns::longest ? after : run_patterns::longest;
    if (lead)
      matches_ += runs_.matches(carried + lead) - runs_.matches(carried);
    const uint32_t rest = mask & ~((1u << lead) - 1);
    uint32_t four = rest & rest >> 1;
    COLONNADE_UNROLL_BY(1)
    for (four &= four >> 2; four;) {
      const uint32_t at = Machine::first_one(four), length = Machine::first_one(~(rest >> at));
      matches_ += runs_.matches(length);
      four &= ~0u << (at + length);
    }
    return windows_.next(mask);
  }

private:
  const Machine &machine_;
  const run_patterns &runs_;
  run_windows<Machine> windows_;
  uint64_t matches_ = 0;
  uint32_t before_ = 0; // of the run that goes on into the next row, at most `longest`
};

/// Where all patterns have 8 bytes. Called by all lanes of a warp.
template <class Machine> class run_of_eight_counter {
public:
  template <class Block>
  COLONNADE_KERNEL_CODE run_of_eight_counter(const Machine &machine, const Block &block)
      : machine_(machine), runs_(block.runs), windows_(machine) {}

  COLONNADE_KERNEL_CODE uint64_t matches() const { return positions_ * runs_.number; }
  COLONNADE_KERNEL_CODE void begin(const window_text<1> &text, uint64_t offset) {
    if (runs_.word)
      windows_.begin(run_before(machine_, runs_, text, offset));
  }
  COLONNADE_KERNEL_CODE uint32_t count(const sixteen_bytes &row) {
    if (runs_.word == 0)
      return 0;
    const uint32_t windows = windows_.next(windows_.mask_of(row, runs_.word));
    positions_ += Machine::count_ones(windows);
    return windows;
  }

private:
  const Machine &machine_;
  const run_patterns &runs_;
  run_windows<Machine> windows_;
  uint64_t positions_ = 0;
};

/// Where there are none.
struct no_runs {
  template <class Machine, class Block>
  COLONNADE_KERNEL_CODE no_runs(const Machine &, const Block &) {}
  COLONNADE_KERNEL_CODE void begin(const window_text<1> &, uint64_t) {}
  COLONNADE_KERNEL_CODE uint32_t count(const sixteen_bytes &) { return 0; }
};

} // namespace colonnade::detail

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

/// Called by all lanes of a warp.
template <class Machine> class run_counter {
public:
  template <class Block>
  COLONNADE_KERNEL_CODE run_counter(const Machine &machine, const Block &block)
      : machine_(machine), runs_(block.runs) {}

  COLONNADE_KERNEL_CODE uint64_t matches() const { return matches_; }

  /// The next row begins at this offset.
  COLONNADE_KERNEL_CODE void begin(const window_text<1> &text, uint64_t offset) {
    before_ = 0;
    if (runs_.word == 0)
      return;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t k = 0; k < run_patterns::longest / 32 && before_ == 32 * k; ++k) {
      const uint64_t at = offset - 1 - 32 * k - machine_.lane();
      const bool inside = at < offset && text.holds(at, 1);
      const uint32_t others = ~machine_.ballot(inside && *text.at(at) == (runs_.word & 0xff));
      before_ += others ? Machine::first_one(others) : 32;
    }
    last_mask_ = before_ < 16 ? ~0u << (16 - before_) & 0xffff : 0xffff;
  }
  /// Of the positions from 8 bytes before a lane's 16 on: bit 0 to 7: those with an even number at
  /// which the next 8 bytes are such a byte; from bit 16 on the others.
  COLONNADE_KERNEL_CODE uint32_t count(const sixteen_bytes &row) {
    if (runs_.word == 0)
      return 0;
    const uint32_t lane = machine_.lane(), mask = mask_of(row), others = ~mask & 0xffff;
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
    return windows(mask);
  }

private:
  /// Bit i: byte i of a lane is the runs' byte.
  COLONNADE_KERNEL_CODE uint32_t mask_of(const sixteen_bytes &row) const {
    uint32_t mask = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 4; ++i)
      mask |= ((zero_bytes(row.word[i] ^ runs_.word) >> 7) * 0x01020408u >> 24 & 15) << 4 * i;
    return mask;
  }
  COLONNADE_KERNEL_CODE uint32_t windows(uint32_t mask) {
    const uint32_t lane = machine_.lane(),
                   before = machine_.shuffle(lane == 31 ? last_mask_ : mask, lane + 31);
    last_mask_ = mask;
    uint32_t windows = mask << 8 | before >> 8;
    windows &= windows >> 1;
    windows &= windows >> 2;
    windows &= windows >> 4;
    // Those of even and of odd places apart.
    uint32_t bits = (windows & 0x5555) | (windows >> 1 & 0x5555) << 16;
    bits = (bits | bits >> 1) & 0x33333333;
    bits = (bits | bits >> 2) & 0x0f0f0f0f;
    return (bits | bits >> 4) & 0x00ff00ff;
  }

  const Machine &machine_;
  const run_patterns &runs_;
  uint64_t matches_ = 0;
  uint32_t before_ = 0;    // of the run that goes on into the next row, at most `longest`
  uint32_t last_mask_ = 0; // lane 31: of the row before
};

/// Where there are none.
struct no_runs {
  template <class Machine, class Block>
  COLONNADE_KERNEL_CODE no_runs(const Machine &, const Block &) {}
  COLONNADE_KERNEL_CODE void begin(const window_text<1> &, uint64_t) {}
  COLONNADE_KERNEL_CODE uint32_t count(const sixteen_bytes &) { return 0; }
};

} // namespace colonnade::detail

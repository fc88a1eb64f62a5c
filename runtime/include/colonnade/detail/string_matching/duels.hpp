//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// duels.hpp: of two places at which the pattern may be, so near to each other that it cannot be at
// both, one character of the text tells at least one that cannot.
//
// In: the candidates of the lanes of a warp. Out: fewer of them. Invariant: no place of the pattern
// is taken away; of those that are left, each two that met may both be places.
//
// Source: U. Vishkin, Optimal parallel pattern matching in strings (1985).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/compare.hpp>

namespace colonnade::detail {

/// Of a warp whose lanes have Windows positions each. row: the first lane's first one.
template <uint32_t Windows, class Character, class Machine> class duels {
public:
  COLONNADE_KERNEL_CODE duels(const Machine &machine, const matching_job &job, uint64_t row)
      : machine_(machine), job_(job), row_(reinterpret_cast<const Character *>(job.text) + row) {}

  /// By all lanes, of a pattern that has a table of what agrees.
  COLONNADE_KERNEL_CODE void fight(uint32_t &candidates) const {
    within_lane(candidates);
    if (between_lanes(candidates ? number(machine_.first_one(candidates)) : none))
      candidates &= candidates - 1;
  }

private:
  static constexpr uint32_t none = ~0u;

  /// Each with the last one before it that is left.
  COLONNADE_KERNEL_CODE void within_lane(uint32_t &candidates) const {
    if (candidates == 0)
      return;
    uint32_t before = machine_.first_one(candidates);
    for (uint32_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
      const uint32_t i = machine_.first_one(rest);
      const uint32_t lost = losers(number(before), number(i));
      candidates &= ~((lost & 1) << before | lost >> 1 << i);
      if (lost < 2)
        before = i;
    }
  }
  /// Of a candidate of each lane; whether it is lost. Those of two halves meet, of 2, 4, ... lanes;
  /// the one that is left goes on for both. If both are, the second one meets no others.
  COLONNADE_KERNEL_CODE bool between_lanes(uint32_t mine) const {
    bool lost = false;
    uint32_t left = mine;
    COLONNADE_UNROLL_BY(1)
    for (uint32_t half = 1; half < 32; half *= 2) {
      const uint32_t other = machine_.shuffle_xor(left, half);
      const uint32_t first = machine_.lane() & half ? other : left,
                     second = machine_.lane() & half ? left : other;
      left = left < other ? left : other;
      if (first == none || second == none)
        continue;
      const uint32_t gone = losers(first, second);
      lost |= (gone & 1 && first == mine) || (gone & 2 && second == mine);
      left = gone & 1 ? gone & 2 ? none : second : first;
    }
    return lost;
  }
  /// Of two positions in the row: bit 0, 1: the pattern is not at the first, at the second.
  COLONNADE_KERNEL_CODE uint32_t losers(uint32_t first, uint32_t second) const {
    const uint32_t apart = second - first, length = static_cast<uint32_t>(job_.length);
    if (apart >= length)
      return 0;
    const uint32_t same = job_.agreeing[apart];
    if (apart + same >= length)
      return 0; // it can be at both
    const auto *const pattern = reinterpret_cast<const Character *>(job_.pattern) + same;
    Character there = row_[second + same];
    if (job_.fold)
      there = static_cast<Character>(letters<Character>::lower(there, job_.fold));
    return uint32_t{there != pattern[apart]} | uint32_t{there != pattern[0]} << 1;
  }
  COLONNADE_KERNEL_CODE uint32_t number(uint32_t i) const { return Windows * machine_.lane() + i; }

  const Machine &machine_;
  const matching_job &job_;
  const Character *const row_;
};

} // namespace colonnade::detail

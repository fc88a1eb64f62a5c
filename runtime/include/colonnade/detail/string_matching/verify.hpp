//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// verify.hpp: whether the pattern is where a part of it was found.
//
// In: positions in the text, at which the whole pattern has room. Out: whether it is there.
// Invariant: no byte outside of the pattern's place is read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// Patterns of up to so many bytes a lane compares alone.
constexpr uint64_t most_compared_alone = 32;

/// By one lane.
COLONNADE_KERNEL_CODE bool matches_alone(const uint8_t *text, const uint8_t *pattern,
                                         uint64_t length) {
  for (uint64_t i = 0; i < length; ++i)
    if (text[i] != pattern[i])
      return false;
  return true;
}

/// By a warp: all lanes ask for the same place, and are told.
template <class Machine>
COLONNADE_KERNEL_CODE bool matches_together(const Machine &machine, const uint8_t *text,
                                            const uint8_t *pattern, uint64_t length) {
  constexpr uint32_t in_flight = 4;
  const uint32_t lane = machine.lane();
  const uint32_t head = static_cast<uint32_t>(-reinterpret_cast<uintptr_t>(text)) % 4;
  const uint64_t words = (length - head) / 4, tail = head + 4 * words;
  bool differs = lane < head && text[lane] != pattern[lane];
  differs |= tail + lane < length && text[tail + lane] != pattern[tail + lane];
  for (uint64_t first = 0; first < words; first += 32 * in_flight) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < in_flight; ++k) {
      const uint64_t word = first + 32 * k + lane;
      if (word < words)
        differs |=
            aligned_word(text + head + 4 * word) !=
            window_of(aligned_word(pattern + 4 * word), aligned_word(pattern + 4 * word + 4), head);
    }
    if (machine.ballot(differs))
      return false;
  }
  return machine.ballot(differs) == 0;
}

/// Of the candidates of each lane (bit i: at `text` + i) those that match; called by all lanes.
template <class Machine>
COLONNADE_KERNEL_CODE uint32_t verified(const Machine &machine, uint32_t candidates,
                                        const uint8_t *text, const uint8_t *pattern,
                                        uint64_t length) {
  uint32_t matches = candidates;
  // One by one; of long patterns only the first bytes.
  const bool is_long = length > most_compared_alone;
  for (uint32_t rest = candidates; rest; rest &= rest - 1) {
    const uint32_t i = machine.first_one(rest);
    if (!matches_alone(text + i, pattern, is_long ? most_compared_alone / 2 : length))
      matches &= ~(1u << i);
  }
  if (!is_long)
    return matches;
  uint32_t rest = matches;
  while (const uint32_t asking = machine.ballot(rest != 0)) {
    const uint32_t leader = machine.first_one(asking), mine = machine.first_one(rest);
    const uint64_t place = reinterpret_cast<uintptr_t>(text) + mine;
    const auto there = reinterpret_cast<const uint8_t *>(machine.shuffle(place, leader));
    const bool same = matches_together(machine, there, pattern, length);
    if (machine.lane() != leader)
      continue;
    rest &= rest - 1;
    if (!same)
      matches &= ~(1u << mine);
  }
  return matches;
}

} // namespace colonnade::detail

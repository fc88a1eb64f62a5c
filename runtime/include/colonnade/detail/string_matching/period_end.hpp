//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// period_end.hpp: how far a text goes on with a period.
//
// In: a place from which on the text has the period. Out: the first character that differs from
// the one a period before. Invariant: no byte outside of what is asked for is read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/folding.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// The first character of [from, to) that differs from the one a period before; `to` if none does.
/// By a warp: characters up to a multiple of 16 bytes and at the end one a lane, all others 16
/// bytes a lane, whose counterparts are put together from words. InFlight: a lane's vectors that
/// are loaded together.
template <uint32_t InFlight, class Character> class period_end {
  static constexpr uint32_t size = sizeof(Character), per_vector = 16 / size;

public:
  const Character *text;
  uint64_t period;
  uint32_t fold;

  /// from >= period.
  template <class Machine>
  COLONNADE_KERNEL_CODE uint64_t find(const Machine &machine, uint64_t from, uint64_t to) const {
    // Three bytes more, so that words before the first vector's counterpart are in the text.
    constexpr uint32_t lead = (3 + size - 1) / size;
    const uint32_t to_vector =
        lead + static_cast<uint32_t>(-reinterpret_cast<uintptr_t>(text + from + lead)) % 16 / size;
    uint64_t end = from + to_vector < to ? from + to_vector : to;
    uint64_t other = ones(machine, from, end);
    if (other != end || end == to)
      return other;
    const uint64_t whole = end + (to - end) / per_vector * per_vector;
    other = vectors(machine, end, whole);
    return other == whole ? ones(machine, whole, to) : other;
  }

private:
  /// At most 32.
  template <class Machine>
  COLONNADE_KERNEL_CODE uint64_t ones(const Machine &machine, uint64_t from, uint64_t to) const {
    const uint64_t at = from + machine.lane();
    const bool differs = at < to && letters<Character>::lower(text[at], fold) !=
                                        letters<Character>::lower(text[at - period], fold);
    const uint32_t others = machine.ballot(differs);
    return others ? from + machine.first_one(others) : to;
  }
  template <class Machine>
  COLONNADE_KERNEL_CODE uint64_t vectors(const Machine &machine, uint64_t from, uint64_t to) const {
    for (uint64_t first = from; first < to; first += InFlight * 32 * per_vector) {
      uint32_t same[InFlight]; // characters
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < InFlight; ++k) {
        const uint64_t at = first + (k * 32 + machine.lane()) * per_vector;
        same[k] = at < to ? same_in_vector(text + at) : per_vector;
      }
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < InFlight; ++k)
        if (const uint32_t others = machine.ballot(same[k] != per_vector)) {
          const uint32_t leader = machine.first_one(others);
          return first + (k * 32 + leader) * per_vector + machine.shuffle(same[k], leader);
        }
    }
    return to;
  }
  /// How many before the first one that differs.
  COLONNADE_KERNEL_CODE uint32_t same_in_vector(const Character *from) const {
    const auto *const bytes = reinterpret_cast<const uint8_t *>(from);
    const uint8_t *const before = bytes - period * size;
    const uint32_t shift = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(before)) % 4;
    const sixteen_bytes now = aligned_vector(bytes);
    uint32_t then[5];
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 5; ++i)
      then[i] = aligned_word(before - shift + 4 * i);
    uint32_t same = per_vector;
    COLONNADE_UNROLL
    for (uint32_t i = 4; i-- > 0;) {
      uint32_t differs = now.word[i] ^ window_of(then[i], then[i + 1], shift);
      if (fold)
        differs = letters<Character>::lower(now.word[i], fold) ^
                  letters<Character>::lower(window_of(then[i], then[i + 1], shift), fold);
      if (differs)
        same = (4 * i + first_byte(differs)) / size;
    }
    return same;
  }
  /// Of a word that is not zero: its first byte that is not.
  COLONNADE_KERNEL_CODE static uint32_t first_byte(uint32_t word) {
    return word & 0xffff ? (word & 0xff ? 0 : 1) : (word & 0xffffff ? 2 : 3);
  }
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compare.hpp: how much of a place in the text is as the pattern.
//
// In: a place with room for the pattern. Out: whether, or how far, they are the same. Invariant: no
// byte outside of the place is read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// What is set in a word of the text before it is compared; nothing, if case is not folded.
template <bool Folds, class Character>
COLONNADE_KERNEL_CODE uint32_t ignored_of([[maybe_unused]] uint32_t pattern,
                                          [[maybe_unused]] uint32_t fold) {
  if constexpr (Folds)
    return letters<Character>::ignored(pattern, fold);
  else
    return 0;
}

/// Patterns of up to so many characters a lane compares alone.
constexpr uint64_t most_compared_alone = 32;

template <class Character>
COLONNADE_KERNEL_CODE bool same_character(Character text, Character pattern, uint32_t fold) {
  return (text | letters<Character>::ignored(pattern, fold)) == pattern;
}
/// By one lane.
template <class Character>
COLONNADE_KERNEL_CODE bool matches_alone(const Character *text, const Character *pattern,
                                         uint32_t length, uint32_t fold) {
  COLONNADE_UNROLL_BY(1)
  for (uint32_t i = 0; i < length; ++i)
    if (!same_character(text[i], pattern[i], fold))
      return false;
  return true;
}
/// The same by words, where text may be read from 3 bytes before the place to 7 behind it.
template <bool Folds, class Character>
COLONNADE_KERNEL_CODE bool matches_by_words(const Character *text, const Character *pattern,
                                            uint32_t length, uint32_t fold) {
  const uint32_t shift = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(text)) % 4,
                 bytes = length * sizeof(Character);
  const uint8_t *const from = reinterpret_cast<const uint8_t *>(text) - shift;
  const uint8_t *const wanted_at = reinterpret_cast<const uint8_t *>(pattern);
  uint32_t low = aligned_word(from);
  COLONNADE_UNROLL_BY(1)
  for (uint32_t at = 0; at < bytes; at += 4) {
    const uint32_t high = aligned_word(from + at + 4), wanted = aligned_word(wanted_at + at);
    const uint32_t differs =
        (window_of(low, high, shift) | ignored_of<Folds, Character>(wanted, fold)) ^ wanted;
    if (at + 4 <= bytes ? differs : differs << 8 * (at + 4 - bytes))
      return false;
    low = high;
  }
  return true;
}

/// That all are the same, where else there is the number of those before one that differs.
constexpr uint32_t all_agree = ~0u;

/// How many words of the text, from a multiple of 4 on, are those of the pattern from its byte
/// `head` on, if not all: those before a block in which one differs; none if one of the first block
/// does, or `differs` in any lane. Four words of a lane are loaded together.
template <bool Folds, class Character, class Machine>
COLONNADE_KERNEL_CODE uint32_t agreeing_words(const Machine &machine, const uint8_t *text,
                                              const uint8_t *pattern, uint32_t head, uint32_t words,
                                              uint32_t fold, bool differs) {
  constexpr uint32_t in_flight = 4;
  const uint32_t shift = head % 4;
  pattern += head - shift;
  uint32_t first = 0;
  do {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < in_flight; ++k) {
      const uint32_t word = first + 32 * k + machine.lane();
      if (word >= words)
        continue;
      const uint32_t wanted =
          window_of(aligned_word(pattern + 4 * word), aligned_word(pattern + 4 * word + 4), shift);
      differs |=
          (aligned_word(text + 4 * word) | ignored_of<Folds, Character>(wanted, fold)) != wanted;
    }
    if (machine.ballot(differs))
      return first;
    first += 32 * in_flight;
  } while (first < words);
  return all_agree;
}

/// Bytes that are on their way to the cache while those before them are compared: other warps keep
/// the memory busy, so that it answers late.
constexpr uint32_t bytes_ahead = 16 << 10;

/// By a warp: asks for the 2 KB of the text, and those of the pattern, that begin there, as far as
/// there are so many.
template <class Machine>
COLONNADE_KERNEL_CODE void fetch_lines(const Machine &machine, const uint8_t *text,
                                       const uint8_t *pattern, uint32_t from, uint32_t bytes) {
  const uint32_t at = from + 128 * (machine.lane() % 16);
  if (at < bytes)
    fetch_line((machine.lane() < 16 ? text : pattern) + at);
}

/// How many of so many bytes, a multiple of 16 and not 0, are the same, where the text is from a
/// multiple of 16 on; as of words. Four vectors of a lane are loaded together.
template <bool Folds, class Character, class Machine>
COLONNADE_KERNEL_CODE uint32_t agreeing_vectors(const Machine &machine, const uint8_t *text,
                                                const uint8_t *pattern, uint32_t head,
                                                uint32_t bytes, uint32_t fold, bool differs) {
  constexpr uint32_t in_flight = 4, row = 32 * 16;
  const uint32_t shift = head % 4;
  pattern += head - shift;
  COLONNADE_UNROLL_BY(1)
  for (uint32_t from = 0; from < bytes_ahead; from += in_flight * row)
    fetch_lines(machine, text, pattern, from, bytes);
  COLONNADE_UNROLL_BY(1)
  for (uint32_t from = 0; from < bytes; from += in_flight * row) {
    fetch_lines(machine, text, pattern, from + bytes_ahead, bytes);
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < in_flight; ++k) {
      const uint32_t at = from + k * row + 16 * machine.lane();
      if (at >= bytes)
        continue;
      const sixteen_bytes there = aligned_vector(text + at);
      uint32_t low = aligned_word(pattern + at);
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t high = aligned_word(pattern + at + 4 * (i + 1));
        const uint32_t wanted = window_of(low, high, shift);
        differs |= (there.word[i] | ignored_of<Folds, Character>(wanted, fold)) != wanted;
        low = high;
      }
    }
    if (machine.ballot(differs))
      return from;
  }
  return all_agree;
}

/// One place, compared by a warp: all lanes ask for the same, and are told. By: bytes that are
/// compared at once where they are many. Dense: there are many such places; so there is code of its
/// own for texts whose case is not folded.
template <uint32_t By, class Character, bool Dense> class compared_place {
  static constexpr uint32_t size = sizeof(Character);
  // Fewer bytes do not pay for vectors.
  static constexpr uint32_t least_by_vectors = 2048, bytes_before = 2048;

public:
  const Character *text, *pattern;
  uint32_t fold;

  /// How many characters are known to be the same, of which `from` are already, and no more than
  /// `to` are asked for: these, or fewer if one of them differs.
  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t agreeing(const Machine &machine, uint32_t from,
                                          uint32_t to) const {
    const bool many =
        By == 16 && (to - from) * size >= least_by_vectors + (Dense ? bytes_before : 0);
    if constexpr (By == 16 && !Dense)
      if (many)
        return by<16, true>(machine, from, to);
    // Of many places that begin alike most differ soon, before what vectors ask for has arrived.
    const uint32_t first = many ? from + bytes_before / size : to;
    const uint32_t known =
        Dense && fold == 0 ? by<4, false>(machine, from, first) : by<4, true>(machine, from, first);
    if constexpr (By == 16 && Dense)
      if (many && known == first)
        return by<16, true>(machine, first, to);
    return known;
  }

private:
  template <uint32_t Unit, bool Folds, class Machine>
  COLONNADE_KERNEL_CODE uint32_t by(const Machine &machine, uint32_t from, uint32_t to) const {
    const uint32_t to_unit =
        static_cast<uint32_t>(-reinterpret_cast<uintptr_t>(text + from)) % Unit / size;
    const uint32_t begin = to_unit < to - from ? from + to_unit : to,
                   end = begin + (to - begin) * size / Unit * (Unit / size);
    bool differs = !same(from, begin, machine.lane());
    if constexpr (!Dense) // where nobody asks how far places agree that differ
      differs |= !same(end, to, machine.lane());
    const auto *const units = reinterpret_cast<const uint8_t *>(text + begin);
    const auto *const wanted = reinterpret_cast<const uint8_t *>(pattern);
    uint32_t known;
    if constexpr (Unit == 16)
      known = agreeing_vectors<Folds, Character>(machine, units, wanted, begin * size,
                                                 (end - begin) * size, fold, differs);
    else
      known = agreeing_words<Folds, Character>(machine, units, wanted, begin * size,
                                               (end - begin) * size / 4, fold, differs);
    if constexpr (!Dense)
      return known == all_agree ? to : from;
    if (known == 0)
      return from;
    if (known != all_agree)
      return begin + known * (Unit == 16 ? 1 : 4) / size;
    return machine.ballot(!same(end, to, machine.lane())) ? end : to;
  }
  /// Whether the character of this lane is, if it has one.
  COLONNADE_KERNEL_CODE bool same(uint32_t from, uint32_t to, uint32_t lane) const {
    return from + lane >= to || same_character(text[from + lane], pattern[from + lane], fold);
  }
};

} // namespace colonnade::detail

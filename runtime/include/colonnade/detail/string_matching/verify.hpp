//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// verify.hpp: whether the pattern is where a part of it was found.
//
// In: positions in the text, at which the whole pattern has room. Out: whether it is there.
// Invariant: no byte outside of the places of candidates is read. Of a pattern that is a repetition
// (its period is at most half of it) a warp compares every byte of its segment, and of the
// pattern's length behind it, a bounded number of times, however many candidates there are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>
#include <colonnade/detail/string_matching/text.hpp>

namespace colonnade::detail {

/// The candidates of all lanes, one after the other: compare(place) asks the whole warp; then
/// settle() may decide others by what is known.
template <class Machine, class Compare, class Settle>
COLONNADE_KERNEL_CODE void compare_in_turn(const Machine &machine, uint32_t &candidates,
                                           uint32_t &matching, uint64_t position, Compare compare,
                                           Settle settle) {
  while (const uint32_t asking = machine.ballot(candidates != 0)) {
    const uint32_t leader = machine.first_one(asking);
    const uint32_t mine = machine.first_one(candidates);
    const uint64_t place = machine.shuffle(position + mine, leader);
    const bool same = compare(place);
    if (machine.lane() == leader) {
      candidates &= ~(1u << mine);
      matching |= uint32_t{same} << mine;
    }
    settle();
  }
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
                                         uint64_t length, uint32_t fold) {
  for (uint64_t i = 0; i < length; ++i)
    if (!same_character(text[i], pattern[i], fold))
      return false;
  return true;
}

/// Whether the words of the text, from a multiple of 4 on, are those of the pattern from its byte
/// `head` (0 to 3) on; not if `differs` in any lane. InFlight: a lane's words that are loaded
/// together.
template <uint32_t InFlight, class Character, class Machine>
COLONNADE_KERNEL_CODE bool same_words(const Machine &machine, const uint8_t *text,
                                      const uint8_t *pattern, uint32_t head, uint64_t words,
                                      uint32_t fold, bool differs) {
  for (uint64_t first = 0; first < words; first += 32 * InFlight) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < InFlight; ++k) {
      const uint64_t word = first + 32 * k + machine.lane();
      if (word >= words)
        continue;
      const uint32_t wanted =
          window_of(aligned_word(pattern + 4 * word), aligned_word(pattern + 4 * word + 4), head);
      differs |=
          (aligned_word(text + 4 * word) | letters<Character>::ignored(wanted, fold)) != wanted;
    }
    if (machine.ballot(differs))
      return false;
  }
  return machine.ballot(differs) == 0;
}

constexpr uint32_t few_in_flight = 4, many_in_flight = 16;

/// By a warp: all lanes ask for the same place, and are told.
template <uint32_t MostInFlight, class Character, class Machine>
COLONNADE_KERNEL_CODE bool matches_together(const Machine &machine, const Character *text,
                                            const Character *pattern, uint64_t length,
                                            uint32_t fold) {
  constexpr uint32_t bytes = sizeof(Character), per_word = 4 / bytes;
  const uint32_t lane = machine.lane();
  const uint64_t to_word = static_cast<uint32_t>(-reinterpret_cast<uintptr_t>(text)) % 4 / bytes;
  const uint32_t head = static_cast<uint32_t>(to_word < length ? to_word : length);
  const uint64_t words = (length - head) / per_word, tail = head + per_word * words;
  bool differs = lane < head && !same_character(text[lane], pattern[lane], fold);
  differs |= tail + lane < length && !same_character(text[tail + lane], pattern[tail + lane], fold);
  const auto *const from = reinterpret_cast<const uint8_t *>(text + head);
  const auto *const wanted = reinterpret_cast<const uint8_t *>(pattern);
  // A short pattern does not pay for words that it has not.
  if (MostInFlight == few_in_flight || words < 32 * MostInFlight)
    return same_words<few_in_flight, Character>(machine, from, wanted, head * bytes, words, fold,
                                                differs);
  return same_words<MostInFlight, Character>(machine, from, wanted, head * bytes, words, fold,
                                             differs);
}

/// Where the text goes on as the pattern, repeated with its period, would: from a position at which
/// its first period was found to the first character that differs, or to the last one that is asked
/// for.
struct periodic_run {
  uint64_t begin = 0, end = 0; // positions; the same in all lanes
};

/// The first character of [from, to) that differs from the one a period before; `to` if none does.
/// By a warp.
template <class Character, class Machine>
COLONNADE_KERNEL_CODE uint64_t end_of_period(const Machine &machine, const Character *text,
                                             uint64_t period, uint64_t from, uint64_t to,
                                             uint32_t fold) {
  constexpr uint32_t in_flight = 4;
  for (uint64_t first = from; first < to; first += 32 * in_flight) {
    uint32_t same = 0; // bit k: this lane's character k
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < in_flight; ++k) {
      const uint64_t at = first + 32 * k + machine.lane();
      const bool equal = at >= to || letters<Character>::lower(text[at], fold) ==
                                         letters<Character>::lower(text[at - period], fold);
      same |= uint32_t{equal} << k;
    }
    if (machine.ballot(same != (1u << in_flight) - 1) == 0)
      continue;
    for (uint32_t k = 0; k < in_flight; ++k)
      if (const uint32_t other = machine.ballot((same >> k & 1) == 0))
        return first + 32 * k + machine.first_one(other);
  }
  return to;
}

/// Compares candidates with the whole pattern. MostInFlight: words of a lane that are loaded
/// together where the pattern is long; many pay where such a comparison is all that is left to wait
/// for.
template <class Machine, uint32_t MostInFlight = many_in_flight, class Character = uint8_t>
class verifier {
public:
  /// limit: the end of the last place at which any candidate may be.
  COLONNADE_KERNEL_CODE verifier(const Machine &machine, const matching_job &job, uint64_t limit)
      : machine_(machine), job_(job), limit_(limit) {}

  /// Of the candidates of each lane (bit i: at position + i) those that match; called by all lanes,
  /// whose positions ascend.
  COLONNADE_KERNEL_CODE uint32_t matches(uint32_t candidates, uint64_t position) {
    uint32_t matching = 0;
    decide(candidates, matching, position);
    const bool alone = job_.length <= most_compared_alone && job_.period == 0;
    for (uint32_t rest = candidates; rest; rest &= rest - 1) {
      const uint32_t i = machine_.first_one(rest);
      const uint64_t characters = alone || job_.length < 16 ? job_.length : 16;
      if (!matches_alone(text(position + i), pattern(), characters, job_.fold))
        candidates &= ~(1u << i);
    }
    if (alone)
      return matching | candidates;
    compare_in_turn(
        machine_, candidates, matching, position, [this](uint64_t place) { return compare(place); },
        [&] { decide(candidates, matching, position); });
    return matching;
  }

private:
  /// By all lanes, of one place.
  COLONNADE_KERNEL_CODE bool compare(uint64_t place) {
    if (job_.period == 0)
      return together(place, job_.length);
    if (!together(place, job_.period))
      return false;
    run_ = {place,
            end_of_period(machine_, text(0), job_.period, place + job_.period, limit_, job_.fold)};
    return run_.end - place >= job_.length;
  }
  COLONNADE_KERNEL_CODE bool together(uint64_t place, uint64_t length) const {
    return matches_together<MostInFlight>(machine_, text(place), pattern(), length, job_.fold);
  }
  COLONNADE_KERNEL_CODE const Character *text(uint64_t position) const {
    return reinterpret_cast<const Character *>(job_.text) + position;
  }
  COLONNADE_KERNEL_CODE const Character *pattern() const {
    return reinterpret_cast<const Character *>(job_.pattern);
  }
  /// Takes the candidates of which the run tells whether they match.
  COLONNADE_KERNEL_CODE void decide(uint32_t &candidates, uint32_t &matching,
                                    uint64_t position) const {
    const int64_t from = static_cast<int64_t>(position - run_.begin);
    const int64_t to = static_cast<int64_t>(run_.end - position);
    if (run_.end == 0 || from <= -16 || to <= 0)
      return;
    const uint32_t period = job_.period;
    const uint32_t before = from < 0 ? static_cast<uint32_t>(-from) : 0;
    uint32_t phase = from < 0 ? 0 : static_cast<uint32_t>(from) % period, in_phase = 0;
    for (uint32_t i = before; i < 16 && i < to; ++i) {
      in_phase |= uint32_t{phase == 0} << i;
      phase = phase + 1 == period ? 0 : phase + 1;
    }
    // Those which the run holds wholly.
    const int64_t most = to - static_cast<int64_t>(job_.length);
    const uint32_t whole = most < 0 ? 0 : most >= 31 ? ~0u : (2u << most) - 1;
    matching |= candidates & in_phase & whole;
    candidates &= ~in_phase;
  }

  const Machine &machine_;
  const matching_job &job_;
  const uint64_t limit_;
  periodic_run run_;
};

} // namespace colonnade::detail

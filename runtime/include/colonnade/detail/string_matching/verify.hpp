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

/// One of the candidates of the lanes that are `asking`: compare(place) asks the whole warp.
template <class Machine, class Compare>
COLONNADE_KERNEL_CODE void compare_one(const Machine &machine, uint32_t asking,
                                       uint32_t &candidates, uint32_t &matching, uint64_t position,
                                       Compare compare) {
  const uint32_t leader = machine.first_one(asking), mine = machine.first_one(candidates);
  const bool same = compare(machine.shuffle(position + mine, leader));
  if (machine.lane() == leader) {
    candidates &= ~(1u << mine);
    matching |= uint32_t{same} << mine;
  }
}
/// The candidates of all lanes, one after the other; after each, settle() may decide others by
/// what is known.
template <class Machine, class Compare, class Settle>
COLONNADE_KERNEL_CODE void compare_in_turn(const Machine &machine, uint32_t &candidates,
                                           uint32_t &matching, uint64_t position, Compare compare,
                                           Settle settle) {
  while (const uint32_t asking = machine.ballot(candidates != 0)) {
    compare_one(machine, asking, candidates, matching, position, compare);
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
                                         uint32_t length, uint32_t fold) {
  COLONNADE_UNROLL_BY(1)
  for (uint32_t i = 0; i < length; ++i)
    if (!same_character(text[i], pattern[i], fold))
      return false;
  return true;
}
/// The same by words, where text may be read from 3 bytes before the place to 7 behind it.
template <class Character>
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
        (window_of(low, high, shift) | letters<Character>::ignored(wanted, fold)) ^ wanted;
    if (at + 4 <= bytes ? differs : differs << 8 * (at + 4 - bytes))
      return false;
    low = high;
  }
  return true;
}

/// Whether the words of the text, from a multiple of 4 on, are those of the pattern from its byte
/// `head` (0 to 3) on; not if `differs` in any lane. Four words of a lane are loaded together.
template <class Character, class Machine>
COLONNADE_KERNEL_CODE bool same_words(const Machine &machine, const uint8_t *text,
                                      const uint8_t *pattern, uint32_t head, uint64_t words,
                                      uint32_t fold, bool differs) {
  constexpr uint32_t in_flight = 4;
  for (uint64_t first = 0; first < words; first += 32 * in_flight) {
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < in_flight; ++k) {
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

/// The same of so many bytes, a multiple of 16, where the text is from a multiple of 16 on and
/// `head` is any number. Four vectors of a lane are loaded together.
template <class Character, class Machine>
COLONNADE_KERNEL_CODE bool same_vectors(const Machine &machine, const uint8_t *text,
                                        const uint8_t *pattern, uint32_t head, uint32_t bytes,
                                        uint32_t fold, bool differs) {
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
        differs |= (there.word[i] | letters<Character>::ignored(wanted, fold)) != wanted;
        low = high;
      }
    }
    if (machine.ballot(differs))
      return false;
  }
  return machine.ballot(differs) == 0;
}

/// By a warp: all lanes ask for the same place, and are told. Long patterns by vectors, if By
/// is 16.
template <uint32_t By, class Character, class Machine>
COLONNADE_KERNEL_CODE bool matches_together(const Machine &machine, const Character *text,
                                            const Character *pattern, uint64_t length,
                                            uint32_t fold) {
  constexpr uint32_t bytes = sizeof(Character), per_unit = By / bytes;
  // A short pattern does not pay for vectors that it has not.
  if constexpr (By == 16)
    if (length < 2048 / bytes)
      return matches_together<4>(machine, text, pattern, length, fold);
  const uint32_t lane = machine.lane();
  const uint64_t to_unit = static_cast<uint32_t>(-reinterpret_cast<uintptr_t>(text)) % By / bytes;
  const uint32_t head = static_cast<uint32_t>(to_unit < length ? to_unit : length);
  const uint64_t units = (length - head) / per_unit, tail = head + per_unit * units;
  bool differs = lane < head && !same_character(text[lane], pattern[lane], fold);
  differs |= tail + lane < length && !same_character(text[tail + lane], pattern[tail + lane], fold);
  const auto *const from = reinterpret_cast<const uint8_t *>(text + head);
  const auto *const wanted = reinterpret_cast<const uint8_t *>(pattern);
  if constexpr (By == 16)
    return same_vectors<Character>(machine, from, wanted, head * bytes,
                                   static_cast<uint32_t>(16 * units), fold, differs);
  else
    return same_words<Character>(machine, from, wanted, head * bytes, units, fold, differs);
}

/// Where the text goes on as the pattern, repeated with its period, would: from a position at which
/// its first period was found to the first character that differs, or to the last one that is asked
/// for.
struct periodic_run {
  uint64_t begin = 0, end = 0; // positions; the same in all lanes
};

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

/// Bits of the multiples of a period below 16.
COLONNADE_KERNEL_CODE uint32_t multiples_of(uint32_t period) {
  uint32_t bits = 1;
  for (uint32_t distance = period; distance < 16; distance *= 2)
    bits |= bits << distance;
  return bits;
}

/// Compares candidates with the whole pattern. By: bytes that are compared at once where it is
/// long; more of them pay where such a comparison is all that is left to wait for.
template <class Machine, uint32_t By = 16, class Character = uint8_t> class verifier {
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
    // Several in a lane, if they match, are of one run, which one of them decides: it is compared
    // before lanes compare their own.
    bool checked = false, one_run = !spares_registers && job_.period != 0 && job_.period < 16 &&
                                    machine_.ballot((candidates & (candidates - 1)) != 0) != 0;
    for (;;) {
      if (!checked && !one_run) {
        check_alone(candidates, position, alone);
        if (alone)
          return matching | candidates;
        checked = true;
      }
      one_run = false;
      const uint32_t asking = machine_.ballot(candidates != 0);
      if (asking == 0)
        return matching;
      compare_one(machine_, asking, candidates, matching, position,
                  [this](uint64_t place) { return compare(place); });
      decide(candidates, matching, position);
    }
  }

  /// Whether what is known of the text decides all of these positions, of which each is at a place
  /// for the whole pattern.
  COLONNADE_KERNEL_CODE bool decides(uint64_t position, uint32_t count) const {
    return job_.period != 0 && position >= run_.begin &&
           position + (count - 1) + job_.length <= run_.end;
  }
  /// Of 16 such positions those that match: in a run the pattern is at multiples of its period, and
  /// nowhere else (Fine and Wilf).
  COLONNADE_KERNEL_CODE uint32_t decided(uint64_t position) const {
    return in_phase(static_cast<int64_t>(position - run_.begin));
  }

private:
  /// Of the methods, whose kernels have more warps.
  static constexpr bool spares_registers = By == 4;
  /// As many as registers are left for.
  static constexpr uint32_t vectors_in_flight = sizeof(Character);

  /// By each lane, of its candidates: the whole pattern, or how it begins.
  COLONNADE_KERNEL_CODE void check_alone(uint32_t &candidates, uint64_t position,
                                         bool wholly) const {
    const auto characters = static_cast<uint32_t>(wholly || job_.length < 16 ? job_.length : 16);
    // A lane's position may be before the text, and is then a large number.
    const bool inside = !spares_registers && position - 3 < job_.num_positions &&
                        position + (16 + 7) < job_.num_positions;
    for (uint32_t rest = candidates; rest; rest &= rest - 1) {
      const uint32_t i = machine_.first_one(rest);
      const Character *const place = text(position + i);
      if (!(inside ? matches_by_words(place, pattern(), characters, job_.fold)
                   : matches_alone(place, pattern(), characters, job_.fold)))
        candidates &= ~(1u << i);
    }
  }
  /// By all lanes, of one place.
  COLONNADE_KERNEL_CODE bool compare(uint64_t place) {
    if (job_.period == 0)
      return together(place, job_.length);
    if (!together(place, job_.period))
      return false;
    const period_end<vectors_in_flight, Character> period{text(0), job_.period, job_.fold};
    run_ = {place, period.find(machine_, place + job_.period, limit_)};
    return run_.end - place >= job_.length;
  }
  COLONNADE_KERNEL_CODE bool together(uint64_t place, uint64_t length) const {
    return matches_together<By>(machine_, text(place), pattern(), length, job_.fold);
  }
  COLONNADE_KERNEL_CODE const Character *text(uint64_t position) const {
    return reinterpret_cast<const Character *>(job_.text) + position;
  }
  COLONNADE_KERNEL_CODE const Character *pattern() const {
    return reinterpret_cast<const Character *>(job_.pattern);
  }
  /// Of 16 positions, of which the first is so far behind the run's begin, those that are a
  /// multiple of the period behind it.
  COLONNADE_KERNEL_CODE uint32_t in_phase(int64_t from) const {
    const uint32_t period = job_.period,
                   behind = from < 0 ? 0 : static_cast<uint32_t>(from) % period,
                   first = from < 0      ? static_cast<uint32_t>(-from)
                           : behind != 0 ? period - behind
                                         : 0;
    return first < 16 ? multiples_of(period) << first & 0xffff : 0;
  }
  /// Takes the candidates of which the run tells whether they match.
  COLONNADE_KERNEL_CODE void decide(uint32_t &candidates, uint32_t &matching,
                                    uint64_t position) const {
    const int64_t from = static_cast<int64_t>(position - run_.begin);
    const int64_t to = static_cast<int64_t>(run_.end - position);
    if (run_.end == 0 || from <= -16 || to <= 0)
      return;
    const uint32_t in_run = to < 16 ? (1u << to) - 1 : 0xffff, phase = in_phase(from) & in_run;
    // Those which the run holds wholly.
    const int64_t most = to - static_cast<int64_t>(job_.length);
    const uint32_t whole = most < 0 ? 0 : most >= 31 ? ~0u : (2u << most) - 1;
    matching |= candidates & phase & whole;
    candidates &= ~phase;
  }

  const Machine &machine_;
  const matching_job &job_;
  const uint64_t limit_;
  periodic_run run_;
};

} // namespace colonnade::detail

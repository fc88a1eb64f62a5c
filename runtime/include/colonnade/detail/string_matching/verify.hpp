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

#include <colonnade/detail/string_matching/duels.hpp>
#include <colonnade/detail/string_matching/in_turn.hpp>
#include <colonnade/detail/string_matching/period_end.hpp>

namespace colonnade::detail {

/// Where the text is as the pattern is from its first character on, repeated with its period where
/// it has one: to the first character that is known to differ, or the last one that was asked for.
struct known_text {
  uint64_t begin = 0, end = 0; // positions; the same in all lanes
};

/// Bits of the multiples of a period below 16.
COLONNADE_KERNEL_CODE uint32_t multiples_of(uint32_t period) {
  uint32_t bits = 1;
  for (uint32_t distance = period; distance < 16; distance *= 2)
    bits |= bits << distance;
  return bits;
}

/// Compares candidates with the whole pattern. By: bytes that are compared at once where it is
/// long; more of them pay where such a comparison is all that is left to wait for. Dense:
/// candidates are many, and begin as the pattern does.
template <class Machine, uint32_t By = 16, class Character = uint8_t, bool Dense = false>
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
    const bool alone = job_.length <= (Dense ? most_left_alone : most_compared_alone) &&
                       (Dense || job_.period == 0);
    // Of a short period: several in a lane, or some in every lane, if they match, are of one run,
    // which one of them decides: it is compared before lanes compare their own.
    bool checked = false, one_run = !spares_registers && job_.period != 0 && job_.period < 16 &&
                                    (Dense ? machine_.ballot(candidates == 0) == 0
                                           : machine_.ballot(several(candidates)) != 0);
    for (;;) {
      if (!checked && !one_run) {
        check(candidates, position, alone);
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
    return job_.period != 0 && position >= known_.begin &&
           position + (count - 1) + job_.length <= known_.end;
  }
  /// Of 16 such positions those that match: in a run the pattern is at multiples of its period, and
  /// nowhere else (Fine and Wilf).
  COLONNADE_KERNEL_CODE uint32_t decided(uint64_t position) const {
    return in_phase(static_cast<int64_t>(position - known_.begin));
  }

private:
  /// Of the methods, whose kernels have more warps.
  static constexpr bool spares_registers = By == 4;
  static constexpr uint32_t windows = 16 / sizeof(Character); // of a lane
  /// As most_compared_alone, of the few that duels leave.
  static constexpr uint64_t most_left_alone = 128;
  /// As many as registers are left for.
  static constexpr uint32_t vectors_in_flight = sizeof(Character);

  COLONNADE_KERNEL_CODE static bool several(uint32_t bits) { return (bits & (bits - 1)) != 0; }

  /// By all lanes: takes candidates away that do not match; wholly: all such.
  COLONNADE_KERNEL_CODE void check(uint32_t &candidates, uint64_t position, bool wholly) const {
    if constexpr (Dense)
      if (job_.agreeing && several(machine_.ballot(candidates != 0))) {
        leave_out_known(candidates, position);
        duels<windows, Character, Machine>(machine_, job_, position - windows * machine_.lane())
            .fight(candidates);
      }
    if (wholly || !Dense)
      check_alone(candidates, position, wholly);
  }
  /// By each lane, those of its candidates of which the text that is known differs.
  COLONNADE_KERNEL_CODE void leave_out_known(uint32_t &candidates, uint64_t position) const {
    for (uint32_t rest = candidates; rest; rest &= rest - 1) {
      const uint32_t i = machine_.first_one(rest);
      if (differs_in_known(position + i))
        candidates &= ~(1u << i);
    }
  }
  /// The text goes on from there as the pattern does from a place in it, which is not as it begins.
  COLONNADE_KERNEL_CODE bool differs_in_known(uint64_t place) const {
    const uint64_t behind = place - known_.begin;
    if (place >= known_.end || behind >= job_.length)
      return false;
    const uint32_t same = job_.agreeing[behind];
    return same < known_.end - place && behind + same < job_.length;
  }
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
      if (!(inside ? Dense && job_.fold == 0
                         ? matches_by_words<false>(place, pattern(), characters, 0)
                         : matches_by_words<true>(place, pattern(), characters, job_.fold)
                   : matches_alone(place, pattern(), characters, job_.fold)))
        candidates &= ~(1u << i);
    }
  }
  /// By all lanes, of one place: what is known of the text tells how much of it need not be
  /// compared.
  COLONNADE_KERNEL_CODE bool compare(uint64_t place) {
    const auto wanted = static_cast<uint32_t>(job_.period ? job_.period : job_.length);
    uint32_t known = 0;
    if constexpr (Dense)
      if (place < known_.end && place - known_.begin < job_.length && job_.agreeing) {
        if (differs_in_known(place))
          return false;
        const uint64_t left = known_.end - place;
        const uint32_t same = job_.agreeing[place - known_.begin];
        known = static_cast<uint32_t>(left < same ? left : same);
        if (known > wanted)
          known = wanted;
      }
    const compared_place<By, Character, Dense> there{text(place), pattern(), job_.fold};
    known = there.agreeing(machine_, known, wanted);
    if constexpr (Dense)
      if (place + known > known_.end)
        known_ = {place, place + known};
    if (known < wanted)
      return false;
    if (job_.period == 0)
      return true;
    const period_end<vectors_in_flight, Character> period{text(0), job_.period, job_.fold};
    known_ = {place, period.find(machine_, place + job_.period, limit_)};
    return known_.end - place >= job_.length;
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
  /// Takes the candidates of which what is known of the text, a run, tells whether they match.
  COLONNADE_KERNEL_CODE void decide(uint32_t &candidates, uint32_t &matching,
                                    uint64_t position) const {
    const int64_t from = static_cast<int64_t>(position - known_.begin);
    const int64_t to = static_cast<int64_t>(known_.end - position);
    if (job_.period == 0 || known_.end == 0 || from <= -16 || to <= 0)
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
  known_text known_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// verify.hpp: whether a pattern of packed characters is where its part was found.
//
// In: positions in the text, at which the whole pattern has room. Out: whether it is there, and
// touches no character that is not known. Invariant: as in ../verify.hpp: of a pattern that is a
// repetition a warp compares every character of its segment, and of the pattern's length behind it,
// a bounded number of times, however many candidates there are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/packed/text.hpp>
#include <colonnade/detail/string_matching/verify.hpp>

namespace colonnade::detail {

/// Words that a lane compares alone.
constexpr uint32_t packed_words_alone = 8;

template <uint32_t Bits, class Machine> class packed_verifier : packed_shape<Bits> {
  using packed_shape<Bits>::per_word;

public:
  /// limit: the end of the last place at which any candidate may be.
  COLONNADE_KERNEL_CODE packed_verifier(const Machine &machine, const packed_job &job,
                                        uint64_t limit)
      : machine_(machine), job_(job), pattern_(reinterpret_cast<const uint32_t *>(job.pattern)),
        limit_(limit) {}

  /// Of the candidates of each lane (bit i: at position + i) those that match; called by all lanes,
  /// whose positions ascend.
  COLONNADE_KERNEL_CODE uint32_t matches(uint32_t candidates, uint64_t position) {
    if (job_.length <= packed_shape<Bits>::per_part)
      return known(candidates, position);
    uint32_t matching = 0;
    decide(candidates, matching, position);
    for (uint32_t rest = candidates; rest; rest &= rest - 1) {
      const uint32_t i = machine_.first_one(rest);
      for (uint32_t w = 0; w < packed_words_alone && w * per_word < job_.length; ++w)
        if (differing(position + i, w, job_.length)) {
          candidates &= ~(1u << i);
          break;
        }
    }
    if (job_.period == 0 && job_.length <= packed_words_alone * per_word)
      return known(matching | candidates, position);
    compare_in_turn(
        machine_, candidates, matching, position, [this](uint64_t place) { return compare(place); },
        [&] { decide(candidates, matching, position); });
    return known(matching, position);
  }

private:
  /// The bits of the lowest characters, at most all of a word.
  COLONNADE_KERNEL_CODE static uint32_t first_characters(uint64_t count) {
    return count < per_word ? (1u << count * Bits) - 1 : ~0u;
  }
  /// The text's words are found anew, not kept in registers while the text is skimmed.
  COLONNADE_KERNEL_CODE uint32_t window(uint64_t position) const {
    const packed_words<Bits> text(job_, 0);
    return text.window(text.begin + position);
  }
  /// Of word w of the pattern's first `length` characters, at a place.
  COLONNADE_KERNEL_CODE uint32_t differing(uint64_t place, uint64_t w, uint64_t length) const {
    const uint64_t from = w * per_word;
    return (window(place + from) ^ pattern_[w]) & first_characters(length - from);
  }
  /// By all lanes, of one place.
  COLONNADE_KERNEL_CODE bool compare(uint64_t place) {
    if (job_.period == 0)
      return same_at(place, job_.length);
    if (!same_at(place, job_.period))
      return false;
    run_ = {place, end_of_run(place + job_.period)};
    return run_.end - place >= job_.length;
  }
  /// Whether the pattern's first `length` characters are there.
  COLONNADE_KERNEL_CODE bool same_at(uint64_t place, uint64_t length) const {
    constexpr uint32_t in_flight = 4;
    const uint64_t words = (length + per_word - 1) / per_word;
    for (uint64_t first = 0; first < words; first += 32 * in_flight) {
      uint32_t other = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < in_flight; ++k) {
        const uint64_t w = first + 32 * k + machine_.lane();
        if (w < words)
          other |= differing(place, w, length);
      }
      if (machine_.ballot(other != 0))
        return false;
    }
    return true;
  }
  /// The first character that differs from the one a period before, or the limit.
  COLONNADE_KERNEL_CODE uint64_t end_of_run(uint64_t from) const {
    for (uint64_t first = from; first < limit_; first += 32 * per_word) {
      const uint64_t mine = first + machine_.lane() * per_word;
      uint32_t other = 0;
      if (mine < limit_)
        other = (window(mine) ^ window(mine - job_.period)) & first_characters(limit_ - mine);
      if (const uint32_t lanes = machine_.ballot(other != 0)) {
        const uint32_t lane = machine_.first_one(lanes);
        return first + lane * per_word + machine_.shuffle(machine_.first_one(other) / Bits, lane);
      }
    }
    return limit_;
  }
  /// Takes the candidates of which the run tells whether they match.
  COLONNADE_KERNEL_CODE void decide(uint32_t &candidates, uint32_t &matching,
                                    uint64_t position) const {
    if (candidates == 0 || position >= run_.end || position + per_word <= run_.begin)
      return;
    const uint32_t after = static_cast<uint32_t>(position - run_.begin) % job_.period;
    uint64_t place = position < run_.begin ? run_.begin
                     : after               ? position + job_.period - after
                                           : position;
    uint32_t decided = 0, whole = 0;
    for (; place < position + per_word && place < run_.end; place += job_.period) {
      const uint32_t bit = 1u << (place - position);
      decided |= bit;
      whole |= place + job_.length <= run_.end ? bit : 0;
    }
    matching |= candidates & whole;
    candidates &= ~decided;
  }
  /// Those that touch only characters that are known.
  COLONNADE_KERNEL_CODE uint32_t known(uint32_t matching, uint64_t position) const {
    if (job_.num_unknown == 0)
      return matching;
    for (uint32_t rest = matching; rest; rest &= rest - 1) {
      const uint32_t i = machine_.first_one(rest);
      const uint64_t begin = position + i, end = begin + job_.length;
      uint64_t before = 0, beyond = job_.num_unknown; // the number of those that begin before `end`
      while (before < beyond) {
        const uint64_t middle = (before + beyond) / 2;
        if (job_.unknown[middle].begin < end)
          before = middle + 1;
        else
          beyond = middle;
      }
      if (before > 0 && job_.unknown[before - 1].begin + job_.unknown[before - 1].length > begin)
        matching &= ~(1u << i);
    }
    return matching;
  }

  const Machine &machine_;
  const packed_job &job_;
  const uint32_t *const pattern_;
  const uint64_t limit_;
  known_text run_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// search.hpp: a warp reads a segment of the text and finds the positions at which patterns of a set
// may begin.
//
// In: a job, filters, a segment's number. Out: candidates, by steps; a lane has 16 positions of
// each row of a step, which begin 3 bytes before its 16 bytes: its 4 aligned words are the first
// ones wholly behind these. Invariant: every position of the text belongs to one row of one
// segment, and is a candidate if a pattern begins there; others may be candidates, also beyond the
// text's ends.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/filters.hpp>
#include <colonnade/detail/string_matching/sets/lookup.hpp>
#include <colonnade/detail/string_matching/sets/queue.hpp>

namespace colonnade::detail {

/// Copies a filter, halved so often (0 or 1).
template <uint32_t Times, uint32_t Log2Words, class Machine>
COLONNADE_KERNEL_CODE void fill_filter(const Machine &machine, const uint32_t *from,
                                       bit_filter<Log2Words> &filter) {
  static_assert(Times <= 1);
  constexpr uint32_t together = 1u << Times, made = 4 / together;
  for (uint32_t i = machine.thread(); made * i < 1u << Log2Words; i += machine.num_threads()) {
    const sixteen_bytes vector = aligned_vector(reinterpret_cast<const uint8_t *>(from + 4 * i));
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < made; ++k)
      filter.words[made * i + k] = vector.word[together * k] | vector.word[together * k + Times];
  }
}
/// Fills the filters of a block, halved so often. Called by all its threads.
template <uint32_t Times, class Filters, class Machine>
COLONNADE_KERNEL_CODE void fill_filters(const Machine &machine, const set_tables &set,
                                        Filters &filters) {
  const uint32_t *from = set.filters;
  if constexpr (Filters::has_long) {
    fill_filter<Times>(machine, from, filters.units);
    from += sizeof filters.units / 4 << Times;
    fill_filter<Times>(machine, from, filters.beginnings);
    from += sizeof filters.beginnings / 4 << Times;
  }
  if constexpr (Filters::has_short)
    fill_filter<0>(machine, from, filters.shorts);
  machine.block_sync();
}

/// An aligned word of the text and its neighbours, with the bit of case set where it is folded.
struct text_words {
  uint32_t before, here, behind;

  /// The first four of eight bytes from 3 - i before the word on, and the others.
  COLONNADE_KERNEL_CODE uint32_t low(uint32_t i) const {
    return i == 3 ? here : window_of(before, here, i + 1);
  }
  COLONNADE_KERNEL_CODE uint32_t high(uint32_t i) const {
    return i == 3 ? behind : window_of(here, behind, i + 1);
  }
};

/// Places count from the first position that belongs to a segment on.
struct segment_places {
  const uint8_t *from; // 8 bytes before the segment's first vector
  uint64_t position;   // of place 0
  bool inside;         // 8 bytes before and 16 behind all places are in the text
  uint32_t step;       // the first place of the step that is searched
};

template <class Tuning, class Filters, class Machine> class set_searcher {
public:
  static constexpr uint32_t loads = Tuning::value.loads, step_bytes = row_bytes * loads;
  static_assert(loads >= 1 && loads <= 4); // positions are bits of two words

  COLONNADE_KERNEL_CODE set_searcher(const Machine &machine, const set_job &job,
                                     const Filters &filters)
      : machine_(machine), job_(job), filters_(filters), text_(job.text, job.num_items) {}

  COLONNADE_KERNEL_CODE uint64_t segment_begin(uint64_t segment) const {
    return segment * job_.rounds * step_bytes;
  }
  /// Place 0 of a segment; before the text's begin it is beyond any text.
  COLONNADE_KERNEL_CODE uint64_t first_position(uint64_t segment) const {
    return segment_begin(segment) - bytes_before - text_.begin;
  }

  /// each(has, places, place): candidates of all lanes, but in a last batch; called by all lanes.
  /// One_step: step_ends(places) follows those of a step; else that is not called, and there is one
  /// last batch in a segment. Within these, in any order.
  template <bool One_step, class Queues, class Each, class Ends>
  COLONNADE_KERNEL_CODE void candidates(uint64_t segment, Queues &queues, Each each,
                                        Ends step_ends) const {
    const uint64_t begin = segment_begin(segment);
    const bool inside = begin != 0 && text_.holds(begin - 8, job_.rounds * step_bytes + 24);
    segment_places places{text_.at(begin - 8), first_position(segment), inside, 0};
    warp_queue<decltype(queues.words), Machine> words(machine_, queues.words);
    warp_queue<decltype(queues.places), Machine> queue(machine_, queues.places);
    bool ends = false;
    for (uint32_t round = 0; !ends; ++round) {
      places.step = round * step_bytes;
      const uint64_t at = begin + places.step;
      ends = round == job_.rounds || at >= text_.end + bytes_before;
      step_bits bits;
      bits.last = ends || One_step;
      if (!ends) {
        if (inside)
          look_up<true>(at, bits);
        else
          look_up<false>(at, bits);
      }
      if (machine_.ballot(bits.any()) == 0 && (!bits.last || One_step))
        continue;
      if constexpr (Filters::has_long)
        bits.units = dealt(bits.units);
      while (has_batch(places, bits, words, queue)) {
        uint32_t place = 0;
        const bool has = queue.take(place);
        each(has, places, place);
      }
      if constexpr (One_step)
        step_ends(places);
    }
  }

private:
  /// What the filters have of a step and no queue has yet. The halves of shorts are of its rows 0
  /// and 1, and of 2 and 3.
  struct step_bits {
    uint32_t units = 0, shorts[2] = {0, 0};
    bool last = false;                             // nothing is to wait behind it
    bool more_units = Filters::has_long;           // the same in all lanes
    uint32_t more_shorts = Filters::has_short * 2; // halves; the same in all lanes

    COLONNADE_KERNEL_CODE bool any() const { return units | shorts[0] | shorts[1]; }
  };

  /// Whether there are 32 candidates, or any if nothing is to wait.
  template <class Words, class Queue>
  COLONNADE_KERNEL_CODE bool has_batch(const segment_places &places, step_bits &bits, Words &words,
                                       Queue &queue) const {
    while (queue.waiting() < 32) {
      if (bits.more_units)
        bits.more_units = words.put(bits.units, [&](uint32_t unit) {
          return places.step + machine_.lane() * 4 + unit * (row_bytes / 4);
        });
      if (words.waiting() >= 32 || (bits.last && words.waiting())) {
        uint32_t place = 0;
        const bool has = words.take(place);
        queue.put_four(has ? long_candidates(places, place) : 0, place);
      } else if (bits.more_shorts) {
        put_shorts(places, bits, queue);
      } else {
        return bits.last && queue.waiting();
      }
    }
    return true;
  }
  template <class Queue>
  COLONNADE_KERNEL_CODE void put_shorts(const segment_places &places, step_bits &bits,
                                        Queue &queue) const {
    const bool second = bits.more_shorts == 1;
    uint32_t half = second ? bits.shorts[1] : bits.shorts[0];
    const uint32_t first = places.step + machine_.lane() * 16 + (second ? 2 * row_bytes : 0);
    bits.more_shorts -=
        !queue.put(half, [&](uint32_t bit) { return first + bit / 16 * row_bytes + bit % 16; });
    (second ? bits.shorts[1] : bits.shorts[0]) = half;
  }
  /// Bits of the words of a step: word i of a lane's vector of a row goes to lane (4 * lane + i) %
  /// 32, which has words 32 apart instead of 4 that follow each other.
  COLONNADE_KERNEL_CODE uint32_t dealt(uint32_t bits) const {
    const uint32_t lane = machine_.lane();
    uint32_t mine = 0;
    COLONNADE_UNROLL
    for (uint32_t i = 0; i < 4; ++i)
      mine |= (machine_.shuffle(bits, lane / 4 + 8 * i) >> lane % 4 & 0x1111) << i;
    return mine;
  }
  /// Of the four positions from 3 before a word on; where there are short patterns, those that
  /// `shorts` does not have.
  COLONNADE_KERNEL_CODE uint32_t long_candidates(const segment_places &places,
                                                 uint32_t place) const {
    uint32_t candidates = 0;
    if constexpr (Filters::has_long) {
      const text_words words = words_around(places, place);
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t low = words.low(i),
                       bytes = mixed(low, words.high(i) & job_.set.beginning_mask);
        uint32_t has = filters_.beginnings.has(bytes);
        if constexpr (Filters::has_short)
          has &= ~filters_.shorts.has_one(low & job_.set.short_mask);
        candidates |= (has & 1) << i;
      }
    }
    return candidates;
  }
  COLONNADE_KERNEL_CODE text_words words_around(const segment_places &places,
                                                uint32_t place) const {
    const uint32_t fold = job_.set.fold;
    if (places.inside) {
      const uint8_t *const pairs = places.from + ((place + 4) & ~7u); // 8 bytes before the word's 4
      const uint64_t low = aligned_pair(pairs), high = aligned_pair(pairs + 8);
      if (place & 4)
        return {static_cast<uint32_t>(low) | fold, static_cast<uint32_t>(low >> 32) | fold,
                static_cast<uint32_t>(high) | fold};
      return {static_cast<uint32_t>(low >> 32) | fold, static_cast<uint32_t>(high) | fold,
              static_cast<uint32_t>(high >> 32) | fold};
    }
    const uint64_t offset = places.position + bytes_before + text_.begin + place;
    return {word_or_none(offset - 4) | fold, word_or_none(offset) | fold,
            word_or_none(offset + 4) | fold};
  }
  template <bool Inside> COLONNADE_KERNEL_CODE void look_up(uint64_t at, step_bits &bits) const {
    sixteen_bytes row[loads];
    const uint64_t mine = at + machine_.lane() * 16;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < loads; ++k) {
      const uint64_t offset = mine + k * row_bytes;
      row[k] = Inside ? aligned_vector(text_.at(offset)) : text_.vector(offset);
    }
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < 4 * loads; ++k)
      row[k / 4].word[k % 4] |= job_.set.fold;
    if constexpr (Filters::has_short)
      short_candidates<Inside>(at, row, bits.shorts);
    if constexpr (Filters::has_long) {
      COLONNADE_UNROLL
      for (uint32_t u = 4 * loads; u-- > 0;)
        bits.units = 2 * bits.units + (filters_.units.has(row[u / 4].word[u % 4]) & 1);
    }
  }
  template <bool Inside>
  COLONNADE_KERNEL_CODE void short_candidates(uint64_t at, const sixteen_bytes (&row)[loads],
                                              uint32_t (&halves)[2]) const {
    const uint32_t before =
        (Inside ? aligned_word(text_.at(at - 4)) : word_or_none(at - 4)) | job_.set.fold;
    COLONNADE_UNROLL
    for (uint32_t k = loads; k-- > 0;) {
      // A lane's first windows begin in the last word of the lane before, or of the row before.
      const uint32_t last = k == 0 ? before : row[k == 0 ? 0 : k - 1].word[3];
      uint32_t low =
          machine_.shuffle(machine_.lane() == 31 ? last : row[k].word[3], machine_.lane() + 31);
      uint32_t bits = 0;
      COLONNADE_UNROLL
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t high = row[k].word[i];
        COLONNADE_UNROLL
        for (uint32_t b = 0; b < 4; ++b) {
          const uint32_t window = b == 3 ? high : window_of(low, high, (b + 1) % 4);
          bits |= (filters_.shorts.has_one(window & job_.set.short_mask) & 1) << (4 * i + b);
        }
        low = high;
      }
      halves[k / 2] |= bits << 16 * (k % 2);
    }
  }
  /// Of the text, or 0; offset: also before the text's first vector.
  COLONNADE_KERNEL_CODE uint32_t word_or_none(uint64_t offset) const {
    return static_cast<int64_t>(offset) < 0 ? 0 : text_.word(offset);
  }

  const Machine &machine_;
  const set_job &job_;
  const Filters &filters_;
  const window_text<1> text_;
};

} // namespace colonnade::detail

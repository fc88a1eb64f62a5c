//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compare.hpp: how many bytes of a place differ from the pattern.
//
// In: positions in the text, at which the whole pattern has room. Out: the number of mismatches, or
// more than the most. Invariant: no byte outside of the text is read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/mismatches/job.hpp>
#include <colonnade/detail/string_matching/verify.hpp>

namespace colonnade::detail {

/// Patterns of up to so many bytes a lane compares alone; of longer ones it looks at so many first.
constexpr uint32_t most_counted_alone = 64;

template <class Machine> class mismatch_counter {
public:
  COLONNADE_KERNEL_CODE mismatch_counter(const Machine &machine, const mismatch_job &job)
      : machine_(machine), job_(job), text_(job.text, job.num_positions + job.length - 1) {}

  /// Of the candidates of each lane (bit i: at position + i) those with few enough mismatches;
  /// called by all lanes.
  COLONNADE_KERNEL_CODE uint32_t matches(uint32_t candidates, uint64_t position) const {
    for (uint32_t rest = candidates; rest; rest &= rest - 1) {
      const uint32_t i = machine_.first_one(rest);
      if (alone(position + i) > job_.most)
        candidates &= ~(1u << i);
    }
    if (job_.length <= most_counted_alone)
      return candidates;
    uint32_t matching = 0;
    compare_in_turn(
        machine_, candidates, matching, position,
        [this](uint64_t place) { return together(place) <= job_.most; }, [] {});
    return matching;
  }
  /// By a warp: of the place of each lane that asks; few enough.
  COLONNADE_KERNEL_CODE uint32_t number(bool asks, uint64_t position) const {
    uint32_t mismatches = 0;
    if (job_.length <= most_counted_alone) {
      if (asks)
        mismatches = alone(position);
      return mismatches;
    }
    for (uint32_t asking = machine_.ballot(asks); asking; asking &= asking - 1) {
      const uint32_t leader = machine_.first_one(asking);
      const uint32_t found = together(machine_.shuffle(position, leader));
      mismatches = machine_.lane() == leader ? found : mismatches;
    }
    return mismatches;
  }

private:
  /// Of the first bytes, most_counted_alone at most; it may stop beyond the most.
  COLONNADE_KERNEL_CODE uint32_t alone(uint64_t position) const {
    const uint64_t from = text_.begin + position, aligned = from & ~uint64_t{3};
    const uint32_t bytes =
        job_.length < most_counted_alone ? static_cast<uint32_t>(job_.length) : most_counted_alone;
    const bool inside = text_.holds(aligned, bytes + 8);
    uint32_t mismatches = 0, low = word(aligned, inside);
    COLONNADE_UNROLL_BY(1)
    for (uint32_t i = 0; i < bytes && mismatches <= job_.most; i += 4) {
      const uint32_t high = word(aligned + i + 4, inside);
      mismatches += differing(window_of(low, high, from % 4), i);
      low = high;
    }
    return mismatches;
  }
  /// By a warp: all lanes ask for the same place, and are told. It may stop beyond the most.
  COLONNADE_KERNEL_CODE uint32_t together(uint64_t position) const {
    const uint64_t from = text_.begin + position, aligned = from & ~uint64_t{3};
    const bool inside = text_.holds(aligned, job_.length + 8);
    constexpr uint32_t in_flight = 4;
    uint32_t all = 0;
    for (uint64_t first = 0; first < job_.length && all <= job_.most; first += 4 * 32 * in_flight) {
      uint32_t mine = 0;
      COLONNADE_UNROLL
      for (uint32_t k = 0; k < in_flight; ++k) {
        const uint64_t i = first + 4 * (32 * k + machine_.lane());
        if (i < job_.length)
          mine += differing(
              window_of(word(aligned + i, inside), word(aligned + i + 4, inside), from % 4), i);
      }
      COLONNADE_UNROLL
      for (uint32_t mask = 1; mask < 32; mask *= 2)
        mine += machine_.shuffle_xor(mine, mask);
      all += mine;
    }
    return all;
  }
  COLONNADE_KERNEL_CODE uint32_t word(uint64_t offset, bool inside) const {
    return inside ? aligned_word(text_.at(offset)) : text_.word(offset);
  }
  /// Of four bytes of the text those that are not the pattern's from its byte i on.
  COLONNADE_KERNEL_CODE uint32_t differing(uint32_t window, uint64_t i) const {
    const uint32_t wanted = aligned_word(job_.pattern + i);
    uint32_t differ = (window | (job_.fold ? ignored_bits(wanted, job_.fold) : 0)) ^ wanted;
    if (i + 4 > job_.length)
      differ &= (1u << 8 * (job_.length % 4)) - 1;
    return 4 - machine_.count_ones(zero_bytes(differ));
  }

  const Machine &machine_;
  const mismatch_job &job_;
  const window_text<1> text_;
};

/// Of all positions that were written, by any number of blocks: num_matches says how many there
/// are.
template <class Machine>
COLONNADE_KERNEL_CODE void number_mismatches(const Machine &machine, const mismatch_job &job,
                                             uint8_t *numbers) {
  const mismatch_counter<Machine> counter(machine, job);
  const uint64_t found = *job.num_matches, written = found < job.capacity ? found : job.capacity;
  const uint64_t warps = uint64_t{machine.num_blocks()} * (machine.num_threads() / 32);
  for (uint64_t first =
           (uint64_t{machine.block()} * (machine.num_threads() / 32) + machine.warp()) * 32;
       first < written; first += warps * 32) {
    const uint64_t mine = first + machine.lane();
    const bool asks = mine < written;
    const uint32_t number = counter.number(asks, asks ? job.positions[mine] : 0);
    if (asks)
      numbers[mine] = static_cast<uint8_t>(number);
  }
}

} // namespace colonnade::detail

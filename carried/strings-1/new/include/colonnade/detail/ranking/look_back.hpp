//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// look_back.hpp: how the tiles of a single pass find out how many items of each bucket are in the
// tiles before them (decoupled look-back).
//
// In: the words of the tiles before: for every tile and bucket one word, two bits of state and
// thirty of count. Out: the number of items of a bucket before a tile. A tile first publishes its
// own count; then it walks back over the words of its predecessors, adding, until one has the
// count of all tiles up to it; then it publishes that sum for itself.
//
// Invariant: a word changes only from empty to aggregate to inclusive, and its state and count
// change together, so no order between words is needed. Counts stay below 2^30: longer inputs
// are cut into portions. Progress: tiles are numbered by tickets, so every predecessor is already
// running.
//
// At the end of a pass all words of its tiles are inclusive. The next pass reads and writes them
// with one bit of the state turned over, which makes inclusive words empty ones: so nothing has to
// be zeroed between two passes.
//
// Source: D. Merrill and M. Garland, Single-pass Parallel Prefix Scan with
// Decoupled Look-back, 2016; here several predecessors are read at once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

constexpr uint32_t look_back_empty = 0;     // nothing published yet; memory is zeroed
constexpr uint32_t look_back_aggregate = 1; // this tile's own count
constexpr uint32_t look_back_inclusive = 2; // the count of all tiles up to this one
constexpr uint32_t look_back_count_bits = 30;
/// Turned over in words, it exchanges empty and inclusive, and keeps aggregate apart from both.
constexpr uint32_t look_back_turn = look_back_inclusive << look_back_count_bits;

COLONNADE_HOST_DEVICE uint32_t look_back_word(uint32_t state, uint32_t count) {
  return state << look_back_count_bits | count;
}
COLONNADE_HOST_DEVICE uint32_t look_back_state(uint32_t word) {
  return word >> look_back_count_bits;
}
COLONNADE_HOST_DEVICE uint32_t look_back_count(uint32_t word) {
  return word & ((1u << look_back_count_bits) - 1);
}

/// The words of one bucket in a table of `stride` words for each tile. Before tile 0 there is
/// nothing.
struct look_back_column {
  const uint32_t *words; // of tile 0
  uint32_t stride;
  uint32_t turn = 0; // or look_back_turn

  template <class Machine>
  COLONNADE_KERNEL_CODE uint32_t load(const Machine &machine, int64_t tile) const {
    return tile < 0 ? look_back_word(look_back_inclusive, 0)
                    : machine.load_word(words + static_cast<uint64_t>(tile) * stride) ^ turn;
  }
};

/// One thread walks for one bucket, and loads Window words at a time. Gives the number of items of
/// the bucket before `tile`.
template <uint32_t Window, class Machine>
COLONNADE_KERNEL_CODE uint32_t look_back_alone(const Machine &machine, look_back_column column,
                                               uint32_t tile) {
  uint32_t sum = 0;
  bool found = false;
  for (int64_t next = int64_t{tile} - 1; !found;) {
    uint32_t word[Window];
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Window; ++k)
      word[k] = column.load(machine, next - k);
    bool blocked = false;
    COLONNADE_UNROLL
    for (uint32_t k = 0; k < Window; ++k) {
      blocked |= look_back_state(word[k]) == look_back_empty;
      if (!blocked && !found) {
        sum += look_back_count(word[k]);
        found = look_back_state(word[k]) == look_back_inclusive;
        --next;
      }
    }
  }
  return sum;
}

/// The same by `Lanes` neighbouring lanes (a power of two, at most 32) for one bucket; each loads
/// one word at a time. Called by all lanes of the warp; groups with `active` false take no part.
/// All lanes of a group get the result.
template <uint32_t Lanes, class Machine>
COLONNADE_KERNEL_CODE uint32_t look_back_together(const Machine &machine, look_back_column column,
                                                  uint32_t tile, bool active) {
  constexpr uint32_t all = Lanes == 32 ? ~0u : (1u << Lanes % 32) - 1;
  const uint32_t rank = machine.lane() % Lanes, first_lane = machine.lane() - rank;
  uint32_t sum = 0;
  int64_t next = int64_t{tile} - 1;
  bool done = !active;
  while (machine.ballot(!done)) {
    const uint32_t word = done ? 0 : column.load(machine, next - rank);
    const uint32_t state = look_back_state(word);
    const uint32_t empty = machine.ballot(state == look_back_empty) >> first_lane & all;
    const uint32_t inclusive = machine.ballot(state == look_back_inclusive) >> first_lane & all;
    const uint32_t first_empty = empty ? Machine::first_one(empty) : Lanes;
    const uint32_t first_inclusive = inclusive ? Machine::first_one(inclusive) : Lanes;
    const bool ends = first_inclusive < first_empty;
    const uint32_t taken = ends ? first_inclusive + 1 : first_empty;
    if (!done && rank < taken)
      sum += look_back_count(word);
    next -= taken;
    done = done || ends;
  }
  COLONNADE_UNROLL
  for (uint32_t mask = Lanes / 2; mask > 0; mask /= 2)
    sum += machine.shuffle_xor(sum, mask);
  return sum;
}

} // namespace colonnade::detail

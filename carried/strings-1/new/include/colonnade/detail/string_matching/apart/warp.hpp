//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// warp.hpp: a warp puts places together to a piece, or chooses among them.
//
// In: places of the pattern in each lane (bit i: at position + i), ascending by lanes. Out: a piece
// or a cursor; the places that are chosen. Invariant: called by all lanes. Few lanes that have any
// are handled one after the other; else the lanes' pieces are scanned. Between two rows with places
// the piece or cursor lies in shared memory, so that it takes no registers while a text is skimmed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/exact/rare_code.hpp>
#include <colonnade/detail/string_matching/apart/piece.hpp>

#include <type_traits>

namespace colonnade::detail {

/// That of another lane, modulo 32.
template <class Machine>
COLONNADE_KERNEL_CODE match_piece piece_of_lane(const Machine &machine, const match_piece &piece,
                                                uint32_t lane) {
  const uint32_t other = lane % 32;
  return {machine.shuffle(piece.first, other),
          machine.shuffle(piece.last, other),
          machine.shuffle(piece.run, other),
          {machine.shuffle(piece.chosen[0], other), machine.shuffle(piece.chosen[1], other)},
          {machine.shuffle(piece.phase[0], other), machine.shuffle(piece.phase[1], other)}};
}
/// Those of the lanes before this one, and its own, put together.
template <class Machine>
COLONNADE_KERNEL_CODE match_piece warp_inclusive_pieces(const Machine &machine,
                                                        const apart_rule &rule, match_piece piece) {
  COLONNADE_UNROLL_BY(1)
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const match_piece below = piece_of_lane(machine, piece, machine.lane() - distance);
    if (machine.lane() >= distance)
      piece = joined(rule, below, piece);
  }
  return piece;
}
/// Of inclusive pieces: those of the lanes before this one.
template <class Machine>
COLONNADE_KERNEL_CODE match_piece pieces_of_lanes_before(const Machine &machine,
                                                         const match_piece &inclusive) {
  match_piece before = piece_of_lane(machine, inclusive, machine.lane() - 1);
  if (machine.lane() == 0)
    before.run = 0;
  return before;
}
/// By a block: what is chosen before this thread's piece. scratch: a piece for each warp. Contains
/// one block_sync.
template <class Machine>
COLONNADE_KERNEL_CODE match_cursor chosen_before(const Machine &machine, const apart_rule &rule,
                                                 const match_piece &piece, match_piece *scratch) {
  const match_piece inclusive = warp_inclusive_pieces(machine, rule, piece);
  if (machine.lane() == 31)
    scratch[machine.warp()] = inclusive;
  machine.block_sync();
  match_cursor cursor = match_cursor::at_start();
  for (uint32_t w = 0; w < machine.warp(); ++w)
    skip_piece(rule, cursor, scratch[w]);
  skip_piece(rule, cursor, pieces_of_lanes_before(machine, inclusive));
  return cursor;
}

/// Where chosen places are written.
struct chosen_positions {
  uint64_t *positions;
  uint64_t capacity;

  COLONNADE_KERNEL_CODE void put(uint64_t number, uint64_t place) const {
    if (number < capacity)
      positions[number] = place;
  }
};

/// That of the last lane. All lanes have read what was there before, and see it afterwards.
template <class Machine, class T>
COLONNADE_KERNEL_CODE void put_back(const Machine &machine, T *shared, const T &value) {
  machine.warp_sync();
  if (machine.lane() == 31)
    *shared = value;
  machine.warp_sync();
}

/// A machine without data goes by value, so that it needs no address.
template <class Machine>
using machine_argument = std::conditional_t<std::is_empty_v<Machine>, Machine, const Machine &>;

/// What this lane and those before it have.
template <class Machine>
COLONNADE_KERNEL_CODE match_piece scanned_places(const Machine &machine, const apart_rule &rule,
                                                 uint64_t position, uint32_t places) {
  match_piece piece{};
  for (uint32_t rest = places; rest; rest &= rest - 1)
    add_place(rule, piece, position + machine.first_one(rest));
  return warp_inclusive_pieces(machine, rule, piece);
}
/// Of many lanes: called, so that a kernel that skims has its registers for that.
template <class Machine>
COLONNADE_RARE_KERNEL_CODE void add_many(machine_argument<Machine> machine, apart_rule rule,
                                         match_piece *shared, uint64_t position, uint32_t places) {
  const match_piece all =
      piece_of_lane(machine, scanned_places<Machine>(machine, rule, position, places), 31);
  put_back<Machine>(machine, shared, joined(rule, *shared, all));
}
template <class Machine>
COLONNADE_RARE_KERNEL_CODE void choose_many(machine_argument<Machine> machine, apart_rule rule,
                                            match_cursor *shared, uint64_t position,
                                            uint32_t places, chosen_positions to) {
  match_cursor cursor = *shared;
  skip_piece(rule, cursor,
             pieces_of_lanes_before<Machine>(
                 machine, scanned_places<Machine>(machine, rule, position, places)));
  for (uint32_t rest = places; rest; rest &= rest - 1) {
    const uint64_t number = cursor.chosen, place = position + machine.first_one(rest);
    if (cursor.pass(rule, place))
      to.put(number, place);
  }
  put_back<Machine>(machine, shared, cursor);
}

template <class Machine> class apart_warp {
public:
  COLONNADE_KERNEL_CODE apart_warp(const Machine &machine, const matching_job &job)
      : rule{job.length, job.step, job.every}, machine_(machine) {}

  const apart_rule rule;

  /// Adds them to the piece in shared memory.
  COLONNADE_KERNEL_CODE void add(match_piece *shared, uint64_t position, uint32_t places) const {
    const uint32_t asking = machine_.ballot(places != 0);
    if (asking == 0)
      return;
    if (machine_.count_ones(asking) > few_lanes)
      return add_many<Machine>(machine_, rule, shared, position, places);
    match_piece piece = *shared;
    in_turn(asking, position, places, [&](uint64_t place) { add_place(rule, piece, place); });
    put_back(machine_, shared, piece);
  }
  /// Those that are chosen, behind what the cursor in shared memory has passed.
  COLONNADE_KERNEL_CODE void choose(match_cursor *shared, uint64_t position, uint32_t places,
                                    const chosen_positions &to) const {
    const uint32_t asking = machine_.ballot(places != 0);
    if (asking == 0)
      return;
    if (machine_.count_ones(asking) > few_lanes)
      return choose_many<Machine>(machine_, rule, shared, position, places, to);
    match_cursor cursor = *shared;
    in_turn(asking, position, places, [&](uint64_t place) {
      const uint64_t number = cursor.chosen;
      if (cursor.pass(rule, place) && machine_.lane() == 0)
        to.put(number, place);
    });
    put_back(machine_, shared, cursor);
  }

private:
  static constexpr uint32_t few_lanes = 4;

  /// each(place), by all lanes together.
  template <class Each>
  COLONNADE_KERNEL_CODE void in_turn(uint32_t asking, uint64_t position, uint32_t places,
                                     Each each) const {
    for (; asking; asking &= asking - 1) {
      const uint32_t leader = machine_.first_one(asking);
      const uint64_t first = machine_.shuffle(position, leader);
      for (uint32_t rest = machine_.shuffle(places, leader); rest; rest &= rest - 1)
        each(first + machine_.first_one(rest));
    }
  }

  const Machine &machine_;
};

} // namespace colonnade::detail

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// piece.hpp: which of a pattern's places are chosen so that none overlaps another: the first one,
// then the first that begins at the end of the one before or behind it, and so on.
//
// In: places of the pattern, ascending, piece by piece. Out: for each place whether it is chosen,
// and how many are. Invariant: pieces can be put together in any grouping, with the same result.
//
// What comes of a piece depends on what was chosen before it, but only little. Places that are the
// smallest period p of the pattern apart are a run; in a run one of `every` = ceil(m / p) is
// chosen, and the phase (how far the last chosen one is behind, modulo `every`) says which. Places
// of two runs are more than m - p apart: if two places are d <= m - p apart, d is a multiple of p
// (Fine and Wilf), and the place p behind the first is one as well. So of a new run only the first
// place can overlap one that was chosen, and only the last one of the run before; the second
// cannot. All that a piece has to know of what was before is the phase at its first place; behind
// the end of its first run, one bit: whether the last place of that run is chosen.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/job.hpp>

namespace colonnade::detail {

/// Of a pattern of `length` characters; every > 1.
struct apart_rule {
  uint64_t length;
  uint32_t step, every; // places of a run are `step` apart, one of `every` is chosen

  /// Of a place that is `gap` behind one of this phase; chosen places have phase 0.
  COLONNADE_KERNEL_CODE uint32_t next_phase(uint32_t phase, uint64_t gap) const {
    if (gap == step)
      return phase + 1 == every ? 0 : phase + 1;
    return phase == 0 && gap < length ? every - 1 : 0;
  }
};

/// Between two places: what was chosen so far.
struct match_cursor {
  uint64_t last;   // the last place
  uint64_t chosen; // how many
  uint32_t phase;  // of the last place

  /// Before all places: far from every one.
  COLONNADE_HOST_DEVICE static match_cursor at_start() { return {uint64_t{1} << 63, 0, 0}; }

  /// Whether this place, behind all others, is chosen.
  COLONNADE_KERNEL_CODE bool pass(const apart_rule &rule, uint64_t place) {
    phase = rule.next_phase(phase, place - last);
    last = place;
    chosen += phase == 0;
    return phase == 0;
  }
};

/// Places that follow each other; a piece of zeros has none.
struct match_piece {
  uint64_t first, last;
  uint64_t run;       // how many are in the first run
  uint64_t chosen[2]; // behind the first run: how many, if its last place is not chosen, and if so
  uint32_t phase[2];  // of the last place, likewise; `no_phase`: there is nothing behind

  static constexpr uint32_t no_phase = ~0u;
  COLONNADE_KERNEL_CODE bool is_one_run() const { return phase[0] == no_phase; }
};

COLONNADE_KERNEL_CODE void skip_piece(const apart_rule &rule, match_cursor &cursor,
                                      const match_piece &piece) {
  if (piece.run == 0)
    return;
  const uint32_t phase = rule.next_phase(cursor.phase, piece.first - cursor.last);
  const uint64_t steps = phase + piece.run - 1;
  const uint64_t rounds =
      steps >> 32 ? steps / rule.every : static_cast<uint32_t>(steps) / rule.every;
  cursor.chosen += rounds + (phase == 0);
  cursor.phase = static_cast<uint32_t>(steps - rounds * rule.every);
  cursor.last = piece.last;
  if (piece.is_one_run())
    return;
  const bool whether = cursor.phase == 0;
  cursor.chosen += whether ? piece.chosen[1] : piece.chosen[0];
  cursor.phase = whether ? piece.phase[1] : piece.phase[0];
}

/// At the end of a piece, with nothing chosen before what is behind its first run: if the last
/// place of that run is not chosen, and if so.
COLONNADE_KERNEL_CODE match_cursor behind_run(const match_piece &piece, uint32_t whether) {
  if (piece.is_one_run())
    return {piece.last, 0, 1 - whether}; // of those that are not chosen, any
  return {piece.last, piece.chosen[whether], piece.phase[whether]};
}

/// Adds a place behind those of the piece.
COLONNADE_KERNEL_CODE void add_place(const apart_rule &rule, match_piece &piece, uint64_t place) {
  if (piece.run == 0) {
    piece = {place, place, 1, {0, 0}, {match_piece::no_phase, match_piece::no_phase}};
    return;
  }
  if (piece.is_one_run() && place - piece.last == rule.step) {
    ++piece.run;
  } else {
    match_cursor without = behind_run(piece, 0), with = behind_run(piece, 1);
    without.pass(rule, place);
    with.pass(rule, place);
    piece.chosen[0] = without.chosen, piece.chosen[1] = with.chosen;
    piece.phase[0] = without.phase, piece.phase[1] = with.phase;
  }
  piece.last = place;
}

/// b is behind a.
COLONNADE_KERNEL_CODE match_piece joined(const apart_rule &rule, const match_piece &a,
                                         const match_piece &b) {
  if (a.run == 0 || b.run == 0)
    return a.run == 0 ? b : a;
  match_piece both = a;
  both.last = b.last;
  if (a.is_one_run() && b.first - a.last == rule.step) {
    both.run += b.run;
    both.chosen[0] = b.chosen[0], both.chosen[1] = b.chosen[1];
    both.phase[0] = b.phase[0], both.phase[1] = b.phase[1];
    return both;
  }
  match_cursor without = behind_run(a, 0), with = behind_run(a, 1);
  skip_piece(rule, without, b);
  skip_piece(rule, with, b);
  both.chosen[0] = without.chosen, both.chosen[1] = with.chosen;
  both.phase[0] = without.phase, both.phase[1] = with.phase;
  return both;
}

} // namespace colonnade::detail

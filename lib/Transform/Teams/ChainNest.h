//===- ChainNest.h - A nest of two loops with a chain in it -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: two loops of a kernel, and facts about its floats. Out: the parts of a nest each of whose
// iterations runs one chain of any order (OrderFreeChains.h) and stores to one cell, its *own*;
// which of the nest's counters each value depends on; and which iterations there are, by a walk.
//
// Invariant: beside the chain's loop there is no other; what bounds it and what its iterations use
// from without is computed from counters alone, so it may be computed anywhere in the nest. A load
// of another iteration's own cell is of one in the same column, whose row's counter is k + c, or of
// one in the same row, whose column's counter is k + d, with the same c and d everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_CHAINNEST_H
#define COLONNADE_TRANSFORM_TEAMS_CHAINNEST_H

#include "Transform/Teams/OrderFreeChains.h"
#include "Transform/Teams/TileCopies.h"

#include <map>
#include <vector>

namespace colonnade {

struct ChainNest {
  OpId outer, inner, loop; // loop: of the chain
  LeastChain chain;
  std::vector<OpId> counted;       // of counters alone, outside of the loop
  std::vector<OpId> linkCounted;   // the same in it
  std::vector<OpId> before, after; // others of an iteration, beside the loop
  std::vector<OpId> links;         // of the loop's body, beside what is counted and the choice
  OpId store;                      // to the iteration's own cell
  std::vector<TileLevel> levels;   // by value: the counters of the nest that it depends on
  OpId ofRow, ofColumn; // loads of own cells of other rows, and of other columns; or none

  TileLevel levelOf(ValueId value) const { return levels[value.index]; }
};

/// outer, inner: loops that carry nothing.
std::optional<ChainNest> chainNest(const ir::Function &kernel, OpId outer, OpId inner,
                                   const std::vector<bool> &neverNegativeZero);

/// Iterations by the numbers of their rows and columns.
struct ChainIterations {
  struct Range { // of k; empty where there is no iteration
    int64_t low = 0, high = -1;
    bool isThere() const { return high >= low; }
  };
  int64_t rows = 0, columns = 0;
  int64_t firstColumn = 0; // the inner counter of column 0
  bool columnsFall = false;
  std::vector<int64_t> counters;         // the outer counter of each row
  std::vector<Range> ranges;             // by row, by column
  int64_t rowAhead = 0, columnAhead = 0; // c and d
  // Loads behind the chain, of cells of other arrays that lie so far from the iteration's own.
  std::map<uint32_t, int64_t> apart; // by operation
  const Range &at(int64_t row, int64_t column) const {
    return ranges[static_cast<size_t>(row * columns + column)];
  }
};

/// nullopt: a load is of none of these cells, or the nest is run more than once. Sets the nest's
/// loads of own cells.
std::optional<ChainIterations> walkChains(const ir::Function &kernel, ChainNest &nest,
                                          WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_CHAINNEST_H

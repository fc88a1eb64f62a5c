//===- TeamWalk.h - What a team's threads do to each other ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A team of threads runs one instance. Iteration t of a loop that is dealt out belongs to member
// t mod team; everything else is done by all members, stores to common arrays by the first one.
// Members may also lie in a grid: then the iteration at the counters (i, j) of a *tiled nest*
// belongs to the member at (i mod rows, j mod columns), or of blocks,, in each such nest.
// Each member keeps the order of the sequential programme, so two accesses can only change places
// where different members make them, one of them is a store, and no barrier lies between. In a
// tiled nest a member keeps no order either: no iteration may need another's cells.
//
// In: a kernel of threads whose sizes are known, and which of its loops are dealt out. Out: before
// which operations barriers must stand, and what the work comes to; or the dependence that breaks,
// which no barrier can keep: between iterations of a loop that is dealt out.
//
// Invariant: with these barriers, no two members access a cell in another order than the sequential
// programme does, unless both load. Work: one step an operation that the programme runs, of each
// member that runs it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TEAMWALK_H
#define COLONNADE_TRANSFORM_TEAMS_TEAMWALK_H

#include "Transform/LiveCells.h"
#include "Transform/Teams/OwnCells.h"
#include "Transform/Teams/TeamWork.h"
#include "Transform/WalkBudget.h"

#include <string>
#include <vector>

namespace colonnade {

/// Grids have at most so many rows, and columns. In one that has as many of both, each iteration of
/// a tiled nest is of a member of its own.
inline constexpr unsigned MaxGrid = 1 << 15;

/// The rows of members, or the columns. A member has so many counters side by side, then those
/// behind all members'.
struct TeamAxis {
  unsigned members = 0, block = 1;
  unsigned memberOf(uint64_t counter) const {
    return static_cast<unsigned>(counter / block % members);
  }
  /// Counters in a row of which each member has a block.
  int64_t turn() const { return int64_t(members) * block; }
  /// That a member needs for counters below an end.
  int64_t slots(int64_t end) const { return (end + turn() - 1) / turn() * block; }
};

/// Members of a team in rows and columns; without rows there is no grid. Both have blocks, or
/// neither.
struct TeamGrid {
  unsigned rows = 0, columns = 0, rowBlock = 1, columnBlock = 1;
  /// Words of a member's cells in registers, of one array and of what is kept between groups.
  unsigned mostCells = 128;
  explicit operator bool() const { return rows != 0; }
  bool hasBlocks() const { return rowBlock > 1; }
  TeamAxis rowAxis() const { return {rows, rowBlock}; }
  TeamAxis columnAxis() const { return {columns, columnBlock}; }
};

/// Two loops, one in the other, whose iterations are dealt out to a grid; or one, to its rows.
struct TiledNest {
  OpId rows, columns; // the outer loop and the inner one; no columns: invalid
  // Iterations behind the loop's end, for whole turns of members, may be run as well: what they
  // access is there, and nobody uses it.
  bool rowsBeyond = false, columnsBeyond = false;
};

/// How a team shares the work.
struct TeamChoice {
  unsigned team = 1;
  std::vector<bool> dealt;  // by operation: a For of which each member has every team-th iteration
  std::vector<bool> common; // by array: one copy for the team; else each member has its own
  TeamGrid grid = {};
  std::vector<TiledNest> tiles = {};
  std::vector<CellHomes> homes = {}; // by array, of cells in members' registers; or empty
};

/// What iterations of a tiled nest lie in.
struct TileExtent {
  int64_t rows = 0, columns = 0;          // beyond the largest counters
  bool allRows = true, allColumns = true; // each execution has all up to there, of all members
  bool isNarrow = false;                  // in columns more than in rows
};

struct TeamRun {
  std::string refusal;             // why this choice is none; or empty
  OpId at;                         // where, if an operation is to blame
  OpId loop;                       // that cannot be dealt out, if one is to blame
  std::vector<bool> barrierBefore; // by operation
  std::vector<bool> isOneTurn;     // by operation, of those dealt out: no member has two iterations
  std::vector<bool> ownCopies;     // by array: each member may have its own
  std::vector<bool> isRead;        // by array: what a cell holds before the run matters
  std::vector<LiveCells> live;     // by array: cells that are copied, if it is one of rows
  std::vector<TileExtent> extents; // by tiled nest
  std::vector<CellHomes> homes;    // by array
  std::vector<bool> isAtHome;      // by operation, of those in tiled nests: it accesses cells of
                                   // the choice's homes, each at its home
  TeamWork work;
};

/// A branch on data, outside of loops that are dealt out, that the first member takes alone, as
/// nothing in it is dealt out and its values are not needed: then others load no cell that it
/// stores to within.
bool isForFirst(const ir::Function &kernel, const TeamChoice &choice, OpId op);

/// counts: the work; what is legal does not need it.
TeamRun walkTeam(const ir::Function &kernel, const TeamChoice &choice, WalkBudget &budget,
                 bool counts = true);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TEAMWALK_H

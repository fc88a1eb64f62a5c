//===- TilePlan.h - Nests whose iterations lie on a team's grid -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads whose sizes are known. Out: its nests whose iterations do not depend on
// each other; and what a team in a grid does with them, where members have room for their cells in
// registers.
//
// Of cells that are stored to at one pair of counters alone, a member has copies in registers, *its
// own cells*: loads of them need no shared memory. Stores go to both.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TILEPLAN_H
#define COLONNADE_TRANSFORM_TEAMS_TILEPLAN_H

#include "Transform/Teams/TeamLoops.h"

namespace colonnade {

/// A member's rows of a nest that it does at a time, as so many have room in registers: all of
/// them, or such that it does as many each time. In a grid of one row, see TileCopies.
unsigned rowSlotsAtOnce(const TileExtent &extent, TeamGrid grid);

/// Whether an operation is another one, or in it.
bool isIn(const ir::Function &kernel, OpId op, OpId loop);

/// for (i = …; i < …; ++i), not in a narrow type
bool countsUpByOne(const ir::Function &kernel, const ir::Op &loop);

/// The nests of a kernel that may be tiled, together, of two loops each or of one. The loops of
/// none are in another.
enum class NestKind : uint8_t { TwoLoops, OneLoop };
/// refusal: of the last one that is none; left alone if there is none such.
std::vector<TiledNest> tiledNests(const ir::Function &kernel, NestKind kind, WalkBudget &budget,
                                  std::string *refusal = nullptr);

/// Whether loops around slots are unrolled, too. What is in registers of a grid's members does not
/// need it, but for cells of rows, and what is fetched once takes longer.
bool unrollsAll(const TeamChoice &choice, const TeamRun &run);

/// dealt: loops beside the nests. A refusal says why the grid is none for them. storesToCaller: an
/// array from which nothing is loaded has no rows, if members' cells fill sectors of the caller's.
/// apart: of walkApart, as it is the same for each grid.
TeamTrial tryGrid(const ir::Function &kernel, TeamGrid grid, llvm::ArrayRef<TiledNest> tiles,
                  llvm::ArrayRef<OpId> dealt, const TeamRun &apart, WalkBudget &budget,
                  bool storesToCaller = true);

/// A walk in which each iteration of a nest is a member of its own.
TeamRun walkApart(const ir::Function &kernel, llvm::ArrayRef<TiledNest> tiles,
                  llvm::ArrayRef<OpId> dealt, WalkBudget &budget);

/// Instructions of a member's code for nests, roughly.
double tiledInstructions(const ir::Function &kernel, const TeamTrial &trial);

/// By array: its cells that are in members' registers. Some load is of such cells alone, and so is
/// each store in a nest.
bool areRows(const TeamChoice &choice);
std::vector<std::optional<OwnCells>> ownArrays(const ir::Function &kernel, const TeamChoice &choice,
                                               const TeamRun &run);

/// Whether all accesses to an array with own cells are to these: then it is in registers alone.
bool areAlone(const ir::Function &kernel, const TeamChoice &choice, const TeamRun &run,
              size_t array);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TILEPLAN_H

//===- TeamPlan.h - How a team of threads shares an instance ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads whose sizes are known. Out: how many threads run an instance, which loops
// are dealt out to them, and which arrays they have in common in shared memory; or why one thread
// an instance stays.
//
// Each loop that may be dealt out is tried alone; of nested ones the better is taken. What a choice
// costs is counted: instructions, wavefronts of shared memory, and how many warps have room.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TEAMPLAN_H
#define COLONNADE_TRANSFORM_TEAMS_TEAMPLAN_H

#include "Transform/Teams/TeamWalk.h"

namespace colonnade {

/// Threads that may run an instance; the largest first.
inline constexpr unsigned TeamSizes[] = {256, 128, 64, 32, 16, 8, 4};
/// And grids that they may lie in; all are powers of two.
inline constexpr TeamGrid TeamGrids[] = {{16, 16}, {16, 8}, {8, 8},  {1, 32}, {4, 8},
                                         {8, 4},   {4, 4},  {2, 4},  {2, 2},  {128, 1},
                                         {64, 1},  {32, 1}, {16, 1}, {8, 1},  {4, 1}};

struct TeamPlan {
  TeamChoice choice;
  TeamRun run;
  bool isSkewed = false;
  bool isOfChains = false;   // tiles of least values
  double cycles = 0;         // of a multiprocessor, an instance
  double ofOne = 0;          // the same with one thread an instance
  double ofOneInColumns = 0; // and with instances in columns
  double registers = 0;      // of a thread, roughly
  ir::Function kernel;       // what the plan is of: the kernel, or one with nests collapsed
  std::string reason;        // why there is no plan; or empty
  std::string note;          // what was done to the kernel, for whoever reads the code; or empty
  std::string ruledOut;      // why there is no grid, if there is none; or empty
  bool isEmpty() const { return choice.team == 1; }
};

/// `kernel`: its arrays are placed, none of them in registers. sizes: of teams in no grid, of
/// TeamSizes; grids: of TeamGrids.
TeamPlan planTeams(const ir::Function &kernel, llvm::ArrayRef<unsigned> sizes = TeamSizes,
                   llvm::ArrayRef<TeamGrid> grids = TeamGrids);

/// The same members and loops for instances in columns, where members' cells fill no sectors: all
/// arrays are staged. nullopt: there is no such plan.
std::optional<TeamPlan> planForColumns(const TeamPlan &plan);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TEAMPLAN_H

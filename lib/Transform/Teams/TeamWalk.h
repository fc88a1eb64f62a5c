//===- TeamWalk.h - What a team's threads do to each other ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A team of threads runs one instance. Iteration t of a loop that is dealt out belongs to member
// t mod team; everything else is done by all members, stores to common arrays by the first one.
// Each member keeps the order of the sequential programme, so two accesses can only change places
// where different members make them, one of them is a store, and no barrier lies between.
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

#include "Transform/Teams/TeamWork.h"
#include "Transform/WalkBudget.h"

#include <string>
#include <vector>

namespace colonnade {

/// How a team shares the work.
struct TeamChoice {
  unsigned team = 1;
  std::vector<bool> dealt;  // by operation: a For of which each member has every team-th iteration
  std::vector<bool> common; // by array: one copy for the team; else each member has its own
};

struct TeamRun {
  std::string refusal;             // why this choice is none; or empty
  OpId at;                         // where, if an operation is to blame
  OpId loop;                       // that cannot be dealt out, if one is to blame
  std::vector<bool> barrierBefore; // by operation
  std::vector<bool> isOneTurn;     // by operation, of those dealt out: no member has two iterations
  std::vector<bool> ownCopies;     // by array: each member may have its own
  std::vector<bool> isRead;        // by array: what a cell holds before the run matters
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

//===- TeamLoops.h - Loops that can be dealt out to a team ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads whose sizes are known. Out: its loops whose iterations carry nothing in
// values, and what a team does with some of them dealt out; and the shapes that the kernel can be
// brought into so that more of its loops can be dealt out, or have enough iterations:
//
//   split       where a dependence between iterations is with the one at an outer loop's counter
//               alone: before it, at it, after it
//   skew        two loops in the order of wavefronts
//   distribute  a loop over several loops: each has an outer one of its own
//   collapse    a loop in a loop: one over both
//
// Invariant: each shape computes what the kernel computes.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TEAMLOOPS_H
#define COLONNADE_TRANSFORM_TEAMS_TEAMLOOPS_H

#include "Transform/Teams/SplitLoops.h"
#include "Transform/Teams/TeamWalk.h"

namespace colonnade {

struct TeamLoop {
  OpId loop;
  std::vector<size_t> inner;      // of those within it, the outermost
  std::vector<ValueId> enclosing; // counters of the loops around it
};

struct TeamLoops {
  std::vector<TeamLoop> all; // inner ones first
  std::vector<size_t> outermost;
};

TeamLoops teamLoops(const ir::Function &kernel);

/// What a team does, and its choice: local arrays are each member's own, if that does. inPlace:
/// arrays that stay where the caller has them; they are either only loaded or only stored to.
struct TeamTrial {
  TeamChoice choice;
  TeamRun run;
};
TeamTrial tryTeam(const ir::Function &kernel, unsigned team, llvm::ArrayRef<OpId> dealt,
                  WalkBudget &budget, bool counts = true, llvm::ArrayRef<ArrayId> inPlace = {});

/// A shape of a kernel, and which loops a warp's team can share in it at the same time.
struct TeamShape {
  ir::Function kernel;
  std::vector<std::vector<OpId>> dealable; // the outermost ones that can be; the innermost ones
  std::vector<OpId> refused;               // that cannot be dealt out
  std::string reason;                      // why the first of them cannot
  std::string note;                        // what was done to the kernel; or empty
};

/// The kernel itself, and in parts, if that helps.
std::vector<TeamShape> teamShapes(const ir::Function &kernel, WalkBudget &budget,
                                  MiddlePart middle = MiddlePart::Branch);
std::optional<TeamShape> collapsedShape(const TeamShape &shape, WalkBudget &budget);
/// The kernel itself, of whose loops those within others are not to be dealt out unless they must.
TeamShape outermostShape(ir::Function kernel, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TEAMLOOPS_H

//===- TeamCost.h - What a plan for a team takes ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a team's choice, with what its walk has counted. Out: cycles of a multiprocessor, roughly, by
// which plans are compared with each other; not a time (lib/Model).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TEAMCOST_H
#define COLONNADE_TRANSFORM_TEAMS_TEAMCOST_H

#include "Transform/Teams/TeamPlan.h"
#include "Transform/Teams/TilePlan.h"

namespace colonnade {

/// The plan of a trial, with its cycles and registers, its rows skewed if that takes less; or why
/// the trial is none.
TeamPlan pricedPlan(const ir::Function &kernel, TeamTrial trial);

/// Cycles of one thread an instance, where neighbours' cells are neighbours: they come from caches.
double cyclesInColumns(const TeamRun &run);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TEAMCOST_H

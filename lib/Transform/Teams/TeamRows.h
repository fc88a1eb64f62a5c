//===- TeamRows.h - How rows of a team's arrays lie in shared memory -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an array that members of a team have in common. Out: the same as rows in shared memory, one
// for each instance of a warp, or of a block, with room behind them so that lanes ask different
// banks.
//
// Invariant: where cells lie changes nothing of what is computed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TEAMROWS_H
#define COLONNADE_TRANSFORM_TEAMS_TEAMROWS_H

#include "Transform/Teams/TeamPlan.h"

namespace colonnade {

/// How many rows apart neighbouring instances' lie (Array::spread), for columns.
unsigned spreadOf(const TeamPlan &plan, unsigned instances);

/// instances: of a block whose rows are its own, for columns; 0: rows are each warp's.
void toRows(ir::Array &array, const TeamPlan &plan, unsigned instances);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TEAMROWS_H

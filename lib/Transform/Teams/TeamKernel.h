//===- TeamKernel.h - A kernel of teams for row-wise instances --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a plan for teams. Out: a kernel for row-wise instances, or for others,
//
//   stage what is read; barrier; if there is an instance { the kernel }; barrier; stage what was
//   written
//
// in which loops that are dealt out begin at the member's own iteration and go on by a team's,
// common arrays are rows in shared memory, and barriers stand where the plan has them.
//
// Invariant: each operation has the operands that it has in the sequential programme; each is done
// by the member that the plan says, or by all of them, each store to a common array by one.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TEAMKERNEL_H
#define COLONNADE_TRANSFORM_TEAMS_TEAMKERNEL_H

#include "Transform/Teams/TeamPlan.h"

namespace colonnade {

/// Rows are a warp's: each copies those of its own instances.
ir::Function teamKernel(const TeamPlan &plan);

/// Rows are a block's, as it takes more instances to fill sectors of a column; fewer where there is
/// no room for as many. nullopt: nor is there for one.
std::optional<ir::Function> teamKernelForColumns(const TeamPlan &plan);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TEAMKERNEL_H

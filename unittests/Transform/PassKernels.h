//===- PassKernels.h - Fused passes that a team shares, for tests -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with fused passes, and how many threads share it. Out: the plan.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_TRANSFORM_PASSKERNELS_H
#define COLONNADE_UNITTESTS_TRANSFORM_PASSKERNELS_H

#include "TileKernels.h"

#include "Transform/Teams/FusePasses.h"
#include "Transform/Teams/TeamLoops.h"

namespace colonnade {

inline TeamPlan teamOf(const ir::Function &fused, unsigned team, bool isSkewed) {
  WalkBudget budget;
  const TeamShape shape = outermostShape(fused, budget);
  if (shape.dealable.empty()) {
    TeamPlan none;
    none.run.refusal = shape.reason;
    return none;
  }
  return planOf(fused, tryTeam(fused, team, shape.dealable.front(), budget), isSkewed);
}

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_TRANSFORM_PASSKERNELS_H

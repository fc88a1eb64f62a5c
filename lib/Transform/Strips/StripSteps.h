//===- StripSteps.h - Rows of a nest together, step by step -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, a nest of it, and how many rows to do together. Out: the kernel in which they are,
// by the steps that StripPlan.h names; or why it cannot be. Whether a dependence is broken may be
// left open, as it takes longest to find: to see what the kernel would need.
// Invariant: see StripPlan.h, where dependences are kept.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_STRIPSTEPS_H
#define COLONNADE_TRANSFORM_STRIPS_STRIPSTEPS_H

#include "Transform/Strips/StripNest.h"
#include "Transform/WalkBudget.h"

namespace colonnade {

struct StripSteps {
  std::optional<ir::Function> kernel;
  std::string reason;           // why there is none
  OpId blocks = {};             // the loop over blocks of rows
  std::vector<OpId> inner = {}; // in it, and of the rows that are left
};

enum class Dependences : uint8_t { AreKept, AreNotChecked };

StripSteps buildStrips(const ir::Function &kernel, const StripNest &nest, uint64_t rows,
                       Dependences dependences, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_STRIPSTEPS_H

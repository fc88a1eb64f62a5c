//===- OperationCounts.h - How often a kernel runs its operations -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, its scalars, the contents of uniform arrays that decide. Out: how often each of its
// regions is entered for one instance; an operation runs as often as its region is entered. Closed
// loops are one step, as in ClosedLoops.h.
//
// Where instance data decides, all arms of a branch and all iterations of a loop are counted, and
// it is said how many of the entries that are: what instances really run lies between.
//
// Invariant: an instance enters a region at most `all` and at least `all - conditional` times; the
// tests compare both with the reference interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_OPERATIONCOUNTS_H
#define COLONNADE_MODEL_OPERATIONCOUNTS_H

#include "Model/AccessProfile.h"

namespace colonnade::model {

struct Executions {
  uint64_t all = 0;
  uint64_t conditional = 0; // of all: only if the data says so

  friend bool operator==(const Executions &, const Executions &) = default;
};

/// By RegionId. A loop's iterations are the entries of its (last) region.
using RegionExecutions = std::vector<Executions>;

/// Without what is only done if the data says so.
inline RegionExecutions unconditional(RegionExecutions executions) {
  for (Executions &region : executions)
    region = {region.all - region.conditional, 0};
  return executions;
}

/// `scalars` by the kernel's; bounds, where counting takes too long. Error: these cannot be had, or
/// what decides is not known here.
llvm::Expected<RegionExecutions> executionsOf(const ir::Function &kernel,
                                              const std::vector<ir::ArrayData> &arrays,
                                              llvm::ArrayRef<ir::Scalar> scalars,
                                              const WalkLimits &limits = {});

/// Loops that are neither closed nor walked within the limits are bounded: what may be entered
/// counts as conditional. nullopt: that cannot be done.
std::optional<RegionExecutions> executionBoundsOf(const ir::Function &kernel,
                                                  const std::vector<ir::ArrayData> &arrays,
                                                  llvm::ArrayRef<ir::Scalar> scalars,
                                                  const WalkLimits &limits = {});

} // namespace colonnade::model

#endif // COLONNADE_MODEL_OPERATIONCOUNTS_H

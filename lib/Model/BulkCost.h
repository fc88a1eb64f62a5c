//===- BulkCost.h - A bulk execution on the UMM or the DMM ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   profile ─┐
//   arrays  ─┼▶ k of every site, residue and warp ─▶ stages, stepwise time, pipelined time
//   machine ─┘
//
// In: the profile of one instance, how many cells each array has, the number of instances, a
// layout and a machine. Out: what all instances cost, each access made by all of them.
//
// Invariant: stages and stepwise time are exact. So is the pipelined time where all k are equal,
// where the warps are so many that none waits, and where the order of the accesses is known; else
// it is an interval that holds it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_BULKCOST_H
#define COLONNADE_MODEL_BULKCOST_H

#include "Model/AccessProfile.h"
#include "Model/WarpStages.h"

namespace colonnade::model {

/// An array as the models see it.
struct ModelArray {
  int64_t cells = 0;     // an instance
  bool isShared = false; // one copy for all instances
  int64_t bytes = 1;     // of a cell
  int64_t base = 0;      // cells from an address that is aligned to lines to its first one
};

struct TeamRequests;

struct BulkInput {
  const AccessProfile &profile;
  llvm::ArrayRef<ModelArray> arrays;  // by ArrayId
  int64_t count;                      // p
  const TeamRequests *team = nullptr; // of the kernel, if they are counted (TeamRequests.h)
};

struct BulkCost {
  uint64_t accesses = 0; // t
  uint64_t stages = 0;   // the sum of all k
  uint64_t stepwise = 0;
  Interval pipelined;
  uint64_t lowerBound = 0; // max(p*t/w, l*t): theorem 3
};

/// Error: the numbers do not fit 64 bits.
llvm::Expected<BulkCost> bulkCost(const MemoryMachine &machine, Layout layout,
                                  const BulkInput &input);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_BULKCOST_H

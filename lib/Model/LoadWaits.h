//===- LoadWaits.h - How often a kernel's thread waits for memory -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel, how often its regions are entered, a layout. Out: batches of loads that are in
// flight together, and how often a thread waits for each.
//
// The compiler moves loads up to where control flow, or a store that may go to the same cell, ends
// the way; so does a check of an address that was loaded. With constant strides (row-wise, tiled)
// it can tell an array's cells apart; column-wise the stride is only known at run time. It does not
// tell apart two arrays that are both written. Divisions and square roots branch where numbers are
// far from 1, and end the way, too. Loops that are unrolled load for all their
// iterations.
//
// Invariant: a batch has a load at least. An estimate: compilers do as they like.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_LOADWAITS_H
#define COLONNADE_MODEL_LOADWAITS_H

#include "Model/Arrangement.h"
#include "Model/OperationCounts.h"

namespace colonnade::model {

/// Loads that a thread waits for together.
struct LoadBatch {
  std::vector<uint32_t> accesses; // by the accessId of their sites; in short loops one each time
  double times = 0;               // waits of an instance
  double together = 1;            // iterations whose loads are in flight at once
};

/// Whether the compiler unrolls the loop fully, for it is short.
bool isShortLoop(const ir::Function &kernel, const RegionExecutions &executions,
                 const ir::Op &loop);

std::vector<LoadBatch> loadBatches(const ir::Function &kernel, const RegionExecutions &executions,
                                   Layout layout);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LOADWAITS_H

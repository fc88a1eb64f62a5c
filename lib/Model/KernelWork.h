//===- KernelWork.h - What a kernel's thread does ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel, how often its regions are entered, a layout. Out: what its time depends on
// beside the sectors that it asks for.
//
// Invariant: it is the same for any number of instances.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_KERNELWORK_H
#define COLONNADE_MODEL_KERNELWORK_H

#include "Model/LoadWaits.h"
#include "Model/MergedAccesses.h"
#include "Model/StagedRows.h"

namespace colonnade::model {

struct KernelWork {
  double operations = 0;   // issued, without loads that are merged
  double cycles = 0;       // that these take a thread by itself
  double sharedCycles = 0; // of L1, for what a warp accesses in shared memory
  StagedWork staged;
  MergedAccesses merged;
  std::vector<LoadBatch> batches;
};

KernelWork kernelWork(const ir::Function &kernel, const RegionExecutions &executions,
                      Layout layout);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_KERNELWORK_H

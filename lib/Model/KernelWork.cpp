//===- KernelWork.cpp - What a kernel's thread does -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelWork.h"

#include "Model/IssuedOperations.h"
#include "Model/ThreadCycles.h"

namespace colonnade::model {

KernelWork kernelWork(const ir::Function &kernel, const RegionExecutions &executions,
                      Layout layout) {
  KernelWork work;
  work.staged = stagedWork(kernel, executions);
  work.merged = mergedAccesses(kernel, executions);
  work.batches = loadBatches(kernel, executions, layout);
  const SharedAccesses &shared = work.merged.shared;
  const double all = issuedOperations(kernel, executions);
  work.operations = all - work.merged.total() - shared.left;
  work.cycles = all > 0 ? threadCycles(kernel, executions) * work.operations / all : 0;
  work.sharedCycles = work.staged.accesses - shared.words + shared.waits;
  return work;
}

} // namespace colonnade::model

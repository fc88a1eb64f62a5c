//===- KernelWork.cpp - What a kernel's thread does -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelWork.h"

#include "Model/IssuedOperations.h"

namespace colonnade::model {

KernelWork kernelWork(const ir::Function &kernel, const RegionExecutions &executions,
                      Layout layout) {
  KernelWork work;
  work.staged = stagedWork(kernel, executions);
  work.merged = mergedAccesses(kernel, executions);
  work.batches = loadBatches(kernel, executions, layout);
  const SharedAccesses &shared = work.merged.shared;
  work.operations = issuedOperations(kernel, executions) - work.merged.total() - shared.left;
  work.sharedCycles = work.staged.accesses - shared.words + shared.waits;
  return work;
}

} // namespace colonnade::model

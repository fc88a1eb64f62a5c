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

/// Column-wise the stride is known at run time only: an address is a product and a sum of 64 bits.
static double addressOperations(const ir::Function &kernel, const RegionExecutions &executions,
                                const MergedAccesses &merged) {
  static constexpr double OfAddress = 2;
  double accesses = 0;
  for (uint32_t r = 0; r < kernel.regions.size(); ++r)
    for (OpId id : kernel.region(RegionId(r)).ops) {
      const ir::Op &op = kernel.op(id);
      if ((op.opcode == ir::Opcode::Load || op.opcode == ir::Opcode::Store) &&
          kernel.array(op.array).space == ir::Space::Memory)
        accesses += std::max(0.0, static_cast<double>(executions[r].all) - merged.of(op.accessId));
    }
  return OfAddress * accesses;
}

KernelWork kernelWork(const ir::Function &kernel, const RegionExecutions &executions,
                      Layout layout) {
  KernelWork work;
  work.staged = stagedWork(kernel, executions);
  work.merged = mergedAccesses(kernel, executions);
  work.batches = loadBatches(kernel, executions, layout);
  const SharedAccesses &shared = work.merged.shared;
  const double all = issuedOperations(kernel, executions);
  work.operations = all - work.merged.total() - shared.left;
  if (layout == Layout::Column)
    work.operations += addressOperations(kernel, executions, work.merged);
  work.cycles = all > 0 ? threadCycles(kernel, executions) * work.operations / all : 0;
  work.sharedCycles = work.staged.accesses - shared.words + shared.waits;
  return work;
}

} // namespace colonnade::model

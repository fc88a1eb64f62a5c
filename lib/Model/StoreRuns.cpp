//===- StoreRuns.cpp - Stores that are issued together --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/StoreRuns.h"

#include "Model/IssuedOperations.h"
#include "Model/KModel.h"
#include "Model/LoadWaits.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

/// Whether more happens in it than its own operations, choices, and loops that are none for the
/// compiler.
static bool hasNested(const ir::Function &kernel, const RegionExecutions &executions,
                      RegionId region) {
  return llvm::any_of(kernel.region(region).ops, [&](OpId id) {
    const Op &op = kernel.op(id);
    return op.opcode == Opcode::CallPart || (!op.regions.empty() && !isLikelyChoice(kernel, op) &&
                                             !isShortLoop(kernel, executions, op));
  });
}

/// What the region's loop runs at once, if its loads do not wait for the iteration before; in a
/// short loop, which is none for the compiler, all loads of a batch.
static StoresTogether togetherIn(const ir::Function &kernel, const RegionExecutions &executions,
                                 RegionId region, llvm::ArrayRef<LoadBatch> batches) {
  const OpId loop = kernel.region(region).parent;
  if (!loop || kernel.op(loop).opcode != Opcode::For || hasNested(kernel, executions, region))
    return {1};
  const auto all = iterationsAtOnce(kernel.op(loop).unrolling);
  unsigned fewest = all;
  for (OpId id : kernel.region(region).ops) {
    if (kernel.op(id).opcode != Opcode::Load)
      continue;
    const uint32_t access = kernel.op(id).accessId;
    for (const LoadBatch &batch : batches)
      if (const auto times = llvm::count(batch.accesses, access); times > 0 && batch.together <= 1)
        fewest = std::min(fewest, static_cast<unsigned>(times));
  }
  const bool isFully = kernel.op(loop).unrolling.kind == ir::Unrolling::Kind::Fully;
  return {fewest, fewest == all && !isFully};
}

std::map<uint32_t, StoresTogether>
storesTogether(const ir::Function &kernel, const RegionExecutions &executions, Layout layout) {
  const std::vector<LoadBatch> batches = loadBatches(kernel, executions, layout);
  std::map<uint32_t, StoresTogether> result;
  for (uint32_t r = 0; r < kernel.regions.size(); ++r)
    for (OpId id : kernel.region(RegionId(r)).ops)
      if (kernel.op(id).opcode == Opcode::Store && !kernel.op(id).guarded)
        result[kernel.op(id).accessId] = togetherIn(kernel, executions, RegionId(r), batches);
  return result;
}

} // namespace colonnade::model

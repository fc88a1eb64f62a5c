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

/// The innermost loop around each region, through branches; none: an OpId that is none.
static std::vector<OpId> loopsAround(const ir::Function &kernel) {
  std::vector<OpId> result(kernel.regions.size());
  std::vector<RegionId> regionOf(kernel.ops.size());
  for (uint32_t r = 0; r < kernel.regions.size(); ++r)
    for (OpId id : kernel.region(RegionId(r)).ops)
      regionOf[id.index] = RegionId(r);
  for (uint32_t r = 0; r < kernel.regions.size(); ++r) {
    OpId &loop = result[r] = kernel.region(RegionId(r)).parent;
    while (loop && kernel.op(loop).opcode == Opcode::If)
      loop = kernel.region(regionOf[loop.index]).parent;
  }
  return result;
}

std::map<uint32_t, LoadsTogether> loadsTogether(const ir::Function &kernel,
                                                const RegionExecutions &executions, Layout layout) {
  std::map<uint32_t, bool> isTogether; // by accessId: with others of its site
  for (const LoadBatch &batch : loadBatches(kernel, executions, layout))
    for (uint32_t access : batch.accesses)
      isTogether[access] |= batch.together > 1 || llvm::count(batch.accesses, access) > 1;
  const std::vector<OpId> loops = loopsAround(kernel);
  std::map<uint32_t, LoadsTogether> result;
  for (uint32_t r = 0; r < kernel.regions.size(); ++r)
    for (OpId id : kernel.region(RegionId(r)).ops) {
      const uint32_t access = kernel.op(id).accessId;
      const OpId loop = loops[r];
      if (kernel.op(id).opcode != Opcode::Load || !loop || !isTogether[access] ||
          kernel.op(loop).opcode != Opcode::For)
        continue;
      const Op &around = kernel.op(loop);
      const bool isOfAll = around.unrolling.kind == ir::Unrolling::Kind::Fully ||
                           isShortLoop(kernel, executions, around);
      result[access] = {loop, isOfAll ? 0 : iterationsAtOnce(around.unrolling)};
    }
  return result;
}

} // namespace colonnade::model

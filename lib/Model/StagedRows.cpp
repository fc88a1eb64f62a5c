//===- StagedRows.cpp - Rows that a warp has in shared memory -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/StagedRows.h"

#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Array;
using ir::Op;
using ir::Opcode;

std::vector<bool> stagedArrays(const ir::Function &kernel) {
  std::vector<bool> result(kernel.arrays.size());
  for (const Op &op : kernel.ops)
    if (op.opcode == Opcode::Stage)
      for (ArrayId array : op.arrays)
        result[array.index] = true;
  return result;
}

StagedCopy stagedCopy(const ir::Function &kernel, const Op &stage) {
  const bool isStore = kernel.array(stage.arrays[1]).isShared();
  const ArrayId memory = stage.arrays[isStore ? 0 : 1], rows = stage.arrays[isStore ? 1 : 0];
  const ir::Scalar *const first =
      stage.operands.empty() ? nullptr : kernel.constant(stage.operands[0]);
  return {memory, rows, first ? ir::asInt64(*first) : 0,
          static_cast<int64_t>(*kernel.array(rows).extents[1].asConstant()), isStore};
}

static double wordsOf(const Array &array) {
  static constexpr double BytesOfWord = 4;
  return static_cast<double>(ir::sizeBytes(array.cell)) / BytesOfWord;
}

/// A copy moves each cell of a row once, small cells as words; no lane waits for another's bank.
static double accessesOfCopy(const ir::Function &kernel, const Op &op) {
  const StagedCopy copy = stagedCopy(kernel, op);
  return static_cast<double>(copy.width) * wordsOf(kernel.array(copy.rows)) / kernel.team();
}

static StagedWork workOf(const ir::Function &kernel, const Op &op) {
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    return {kernel.array(op.array).isShared() ? std::max(1.0, wordsOf(kernel.array(op.array))) : 0,
            0};
  case Opcode::Stage:
    return {accessesOfCopy(kernel, op), 0};
  case Opcode::Wait:
    return {0, 1};
  case Opcode::Barrier:
    return {0, 0, 1};
  default:
    return {};
  }
}

StagedWork stagedWork(const ir::Function &kernel, const RegionExecutions &executions) {
  StagedWork sum;
  for (auto [region, entered] : llvm::zip_first(kernel.regions, executions))
    for (OpId id : region.ops) {
      const StagedWork one = workOf(kernel, kernel.op(id));
      sum.accesses += one.accesses * static_cast<double>(entered.all);
      sum.waits += one.waits * static_cast<double>(entered.all);
      sum.barriers += one.barriers * static_cast<double>(entered.all);
    }
  return sum;
}

} // namespace colonnade::model

//===- StagedRows.cpp - Rows that a warp has in shared memory -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/StagedRows.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Array;
using ir::Op;
using ir::Opcode;

bool isStaged(const ir::Function &kernel, ArrayId array) {
  return llvm::any_of(kernel.ops, [&](const Op &op) {
    return op.opcode == Opcode::Stage && llvm::is_contained(op.arrays, array);
  });
}

/// Rows have an odd number of words, so lanes never wait for each other's banks.
static double wordsOf(const Array &array) {
  static constexpr double BytesOfWord = 4;
  return std::max(1.0, static_cast<double>(ir::sizeBytes(array.cell)) / BytesOfWord);
}

/// A copy moves each cell of a row once; small cells as words.
static double accessesOfCopy(const ir::Function &kernel, const Op &op) {
  static constexpr double BytesOfWord = 4;
  for (ArrayId id : op.arrays)
    if (const Array &rows = kernel.array(id); rows.isShared())
      return static_cast<double>(*rows.extents[1].asConstant()) *
             static_cast<double>(ir::sizeBytes(rows.cell)) / BytesOfWord;
  return 0;
}

static StagedWork workOf(const ir::Function &kernel, const Op &op) {
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    return {kernel.array(op.array).isShared() ? wordsOf(kernel.array(op.array)) : 0, 0};
  case Opcode::Stage:
    return {accessesOfCopy(kernel, op), 0};
  case Opcode::Wait:
    return {0, 1};
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
    }
  return sum;
}

} // namespace colonnade::model

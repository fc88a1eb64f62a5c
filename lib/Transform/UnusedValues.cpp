//===- UnusedValues.cpp - Values that nothing needs -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the end on: what uses a value comes behind it.
//
//===----------------------------------------------------------------------===//

#include "Transform/UnusedValues.h"

#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

bool colonnade::onlyComputes(const Function &kernel, const Op &op) {
  return (op.opcode == Opcode::If || op.opcode == Opcode::For || op.opcode == Opcode::Loop) &&
         llvm::all_of(op.regions, [&](RegionId region) {
           return llvm::all_of(kernel.region(region).ops, [&](OpId id) {
             const Op &inner = kernel.op(id);
             return isPure(inner) || inner.opcode == Opcode::Yield ||
                    inner.opcode == Opcode::Test || onlyComputes(kernel, inner);
           });
         });
}

enum class Unused : uint8_t { Values, AndLoops };

static void dropUnused(Function &kernel, RegionId region, Unused what, std::vector<bool> &isUsed) {
  const auto none = [&](const Op &op) {
    return llvm::none_of(op.results, [&](ValueId result) { return isUsed[result.index]; });
  };
  std::vector<OpId> kept;
  const std::vector<OpId> ops = std::move(kernel.region(region).ops);
  for (size_t i = ops.size(); i-- > 0;) {
    const Op &op = kernel.op(ops[i]);
    if (isPure(op) && op.results.size() == 1 && none(op))
      continue;
    if (what == Unused::AndLoops && onlyComputes(kernel, op) && none(op))
      continue;
    for (ValueId operand : op.operands)
      isUsed[operand.index] = true;
    for (RegionId inner : op.regions)
      dropUnused(kernel, inner, what, isUsed);
    kept.push_back(ops[i]);
  }
  std::reverse(kept.begin(), kept.end());
  kernel.region(region).ops = std::move(kept);
}

void colonnade::dropUnusedValues(Function &kernel) {
  std::vector<bool> isUsed(kernel.values.size());
  dropUnused(kernel, kernel.body, Unused::Values, isUsed);
}

void colonnade::dropUnusedLoops(Function &kernel) {
  std::vector<bool> isUsed(kernel.values.size());
  dropUnused(kernel, kernel.body, Unused::AndLoops, isUsed);
}

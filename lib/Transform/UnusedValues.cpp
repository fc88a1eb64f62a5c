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

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

static void dropUnused(Function &kernel, RegionId region, std::vector<bool> &isUsed) {
  std::vector<OpId> kept;
  const std::vector<OpId> ops = std::move(kernel.region(region).ops);
  for (size_t i = ops.size(); i-- > 0;) {
    const Op &op = kernel.op(ops[i]);
    if (isPure(op) && op.results.size() == 1 && !isUsed[op.results[0].index])
      continue;
    for (ValueId operand : op.operands)
      isUsed[operand.index] = true;
    for (RegionId inner : op.regions)
      dropUnused(kernel, inner, isUsed);
    kept.push_back(ops[i]);
  }
  std::reverse(kept.begin(), kept.end());
  kernel.region(region).ops = std::move(kept);
}

void colonnade::dropUnusedValues(Function &kernel) {
  std::vector<bool> isUsed(kernel.values.size());
  dropUnused(kernel, kernel.body, isUsed);
}

//===- FoldPlan.cpp - Which values are printed inside their one use -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are visited from last to first: when an operand is decided, the statement that
// its text would end up in (the root) is known. A load may move to a later statement only if
// no operation between the two may write memory: then both are of the same epoch.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/FoldPlan.h"

using namespace colonnade;
using namespace colonnade::ir;

// Larger trees become several statements.
static constexpr unsigned MaxTreeSize = 12;

bool colonnade::isExpression(const Op &op) {
  switch (op.opcode) {
  case Opcode::Store:
  case Opcode::If:
  case Opcode::For:
  case Opcode::Loop:
  case Opcode::Yield:
  case Opcode::Test:
  case Opcode::Return:
  case Opcode::Check:
  case Opcode::Unsupported:
    return false;
  default:
    return op.results.size() == 1;
  }
}

FoldPlan::FoldPlan(const Function &function)
    : function_(function), uses_(function.values.size()), folded_(function.values.size()),
      user_(function.values.size()), region_(function.ops.size()), epoch_(function.ops.size()),
      size_(function.ops.size(), 1), root_(function.ops.size()) {
  countUses();
  for (size_t r = 0; r < function.regions.size(); ++r)
    planRegion(RegionId(r));
}

void FoldPlan::countUses() {
  for (size_t r = 0; r < function_.regions.size(); ++r)
    for (OpId id : function_.regions[r].ops) {
      region_[id.index] = RegionId(r);
      for (ValueId operand : function_.op(id).operands) {
        ++uses_[operand.index];
        user_[operand.index] = id;
      }
    }
}

bool FoldPlan::mayFold(const Op &op) const {
  return isExpression(op) && op.opcode != Opcode::Constant && op.opcode != Opcode::Undef &&
         uses_[op.results[0].index] == 1;
}

void FoldPlan::planRegion(RegionId region) {
  const std::vector<OpId> &ops = function_.region(region).ops;
  uint32_t epoch = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    epoch_[ops[i].index] = epoch;
    root_[ops[i].index] = ops[i];
    if (!isExpression(function_.op(ops[i])))
      ++epoch;
  }
  for (size_t i = ops.size(); i-- > 0;) {
    const Op &op = function_.op(ops[i]);
    if (!mayFold(op))
      continue;
    OpId user = user_[op.results[0].index];
    if (region_[user.index] != region)
      continue;
    OpId root = root_[user.index];
    const Op &rootOp = function_.op(root);
    // The text of a loop's bound and step is evaluated in every iteration, so a load in it
    // would be repeated.
    bool loop = rootOp.opcode == Opcode::For || rootOp.opcode == Opcode::Loop;
    if (op.opcode == Opcode::Load && (epoch_[ops[i].index] != epoch_[root.index] || loop))
      continue;
    if (size_[root.index] + size_[ops[i].index] > MaxTreeSize)
      continue;
    size_[root.index] += 1;
    root_[ops[i].index] = root;
    folded_[op.results[0].index] = true;
  }
}

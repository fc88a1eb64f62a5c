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

#include "llvm/ADT/STLExtras.h"

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
  case Opcode::CallPart:
  case Opcode::Check:
  case Opcode::Unsupported:
    return false;
  default:
    return op.results.size() == 1;
  }
}

std::vector<bool> colonnade::allLoads(const Function &function) {
  std::vector<bool> loads;
  for (const Op &op : function.ops)
    loads.push_back(op.opcode == Opcode::Load);
  return loads;
}

FoldPlan::FoldPlan(const Function &function, const std::vector<bool> &needless)
    : function_(function), uses_(function.values.size()), folded_(function.values.size()),
      user_(function.values.size()), region_(function.ops.size()), epoch_(function.ops.size()),
      size_(function.ops.size(), 1), root_(function.ops.size()) {
  countUses();
  if (!needless.empty())
    omit(needless);
  for (size_t r = 0; r < function.regions.size(); ++r)
    planRegion(RegionId(r));
}

void FoldPlan::countUses() {
  uses_.assign(function_.values.size(), 0);
  for (size_t r = 0; r < function_.regions.size(); ++r)
    for (OpId id : function_.regions[r].ops) {
      region_[id.index] = RegionId(r);
      if (omitted(id))
        continue;
      for (ValueId operand : function_.op(id).operands) {
        ++uses_[operand.index];
        user_[operand.index] = id;
      }
    }
}

void FoldPlan::omit(const std::vector<bool> &needless) {
  omitted_.assign(function_.ops.size(), false);
  std::vector<OpId> work;
  auto consider = [&](OpId id) {
    const Op &op = function_.op(id);
    const bool may = needless[id.index] || (op.opcode != Opcode::Load && isExpression(op));
    if (may && !omitted_[id.index] &&
        llvm::none_of(op.results, [&](ValueId result) { return uses_[result.index]; })) {
      omitted_[id.index] = true;
      work.push_back(id);
    }
  };
  for (size_t i = 0; i < function_.ops.size(); ++i)
    if (needless[i])
      consider(OpId(i));
  while (!work.empty()) {
    const Op &op = function_.op(work.back());
    work.pop_back();
    for (RegionId region : op.regions) // with all that is in it
      for (OpId inner : function_.region(region).ops)
        if (!omitted_[inner.index]) {
          omitted_[inner.index] = true;
          work.push_back(inner);
        }
    for (ValueId operand : op.operands)
      if (--uses_[operand.index] == 0 && function_.value(operand).def)
        consider(function_.value(operand).def);
  }
  countUses();
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

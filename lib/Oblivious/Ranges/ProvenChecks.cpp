//===- ProvenChecks.cpp - Checks that no run fails ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/ProvenChecks.h"

#include "Oblivious/Ranges/Intervals.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static bool compares(Opcode opcode, const Interval &a, const Interval &b) {
  switch (opcode) {
  case Opcode::Lt:
    return a.high < b.low;
  case Opcode::Le:
    return a.high <= b.low;
  case Opcode::Gt:
    return a.low > b.high;
  case Opcode::Ge:
    return a.low >= b.high;
  default:
    return false;
  }
}

/// A conjunction of comparisons that all hold, or a disjunction of which one side does.
static bool isProven(const Function &function, Intervals &intervals, ValueId condition) {
  std::vector<ValueId> work = {condition};
  while (!work.empty()) {
    const Op *def = function.definition(work.back());
    work.pop_back();
    if (!def || def->operands.size() != 2)
      return false;
    if (def->opcode == Opcode::And) {
      work.insert(work.end(), def->operands.begin(), def->operands.end());
      continue;
    }
    if (def->opcode == Opcode::Or) { // of conjunctions: they do not nest deeper
      if (!isProven(function, intervals, def->operands[0]) &&
          !isProven(function, intervals, def->operands[1]))
        return false;
      continue;
    }
    std::optional<Interval> a = intervals.of(def->operands[0]), b = intervals.of(def->operands[1]);
    if (!a || !b || !compares(def->opcode, *a, *b))
      return false;
  }
  return true;
}

static bool isPure(const Op &op) {
  return op.results.size() == 1 && op.regions.empty() && op.opcode != Opcode::Load &&
         op.opcode != Opcode::Unsupported;
}

namespace {
/// Takes operations away, and with the last use of a pure one that, too.
class Remover {
public:
  explicit Remover(const Function &function)
      : function_(function), uses_(function.values.size()), removed_(function.ops.size()) {
    for (const Region &region : function.regions)
      for (OpId id : region.ops)
        for (ValueId operand : function.op(id).operands)
          ++uses_[operand.index];
  }

  void remove(OpId id) {
    std::vector<OpId> work = {id};
    while (!work.empty()) {
      const OpId last = work.back();
      work.pop_back();
      removed_[last.index] = true;
      for (ValueId operand : function_.op(last).operands) {
        const OpId def = function_.value(operand).def;
        if (--uses_[operand.index] == 0 && def && isPure(function_.op(def)))
          work.push_back(def);
      }
    }
  }

  bool isRemoved(OpId id) const { return removed_[id.index]; }

private:
  const Function &function_;
  std::vector<unsigned> uses_;
  std::vector<bool> removed_;
};
} // namespace

void colonnade::dropProvenChecks(Function &function) {
  Intervals intervals(function);
  Remover remover(function);
  for (const Region &region : function.regions)
    for (OpId id : region.ops)
      if (const Op &op = function.op(id);
          op.opcode == Opcode::Check && isProven(function, intervals, op.operands[0]))
        remover.remove(id);
  for (Region &region : function.regions)
    llvm::erase_if(region.ops, [&](OpId id) { return remover.isRemoved(id); });
}

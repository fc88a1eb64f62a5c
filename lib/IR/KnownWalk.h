//===- KnownWalk.h - A walk with the values that sizes decide ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function whose sizes are known. Out: a walk over its unrolled programme, operation by
// operation: constants are evaluated, everything else is unknown. Branches with unknown conditions
// are walked on both sides, loops with unknown bounds or tests once, with unknown counters.
//
// Invariant: what is known is so in every run.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_KNOWNWALK_H
#define COLONNADE_IR_KNOWNWALK_H

#include "IR/Function.h"

#include <optional>
#include <vector>

namespace colonnade::ir {

/// Each step may be overridden; false ends the walk.
class KnownWalk {
public:
  KnownWalk(const Function &function, uint64_t maxSteps)
      : function_(function), maxSteps_(maxSteps), values_(function.values.size()) {}
  virtual ~KnownWalk() = default;
  uint64_t steps() const { return steps_; }

protected:
  using Known = std::optional<Scalar>;

  virtual bool walk(RegionId region);
  virtual bool visit(OpId op);
  /// A Load or Store of the cell, if it is known; it may lie outside.
  virtual bool access(OpId op, std::optional<int64_t> cell) = 0;
  /// An operation that is done when the programme runs: its result is unknown.
  virtual void remains(OpId) {}
  /// Of a loop whose iterations are known: to be walked as if they were not.
  virtual bool isKept(OpId) const { return false; }
  /// One of the iterations of a For that are known; its counter and what it carries are set.
  virtual bool iteration(OpId loop, uint64_t number);
  /// An arm of an If whose condition is unknown.
  virtual bool uncertainArm(RegionId arm) { return walk(arm); }
  virtual bool unknownLoop(OpId loop);

  const Known &value(ValueId id) const { return values_[id.index]; }
  /// In access(), of what it has loaded; before the walk, of an argument.
  void set(ValueId id, Known known) { values_[id.index] = known; }

  const Function &function_;
  unsigned uncertain_ = 0; // arms around, of Ifs whose conditions are unknown

private:
  void forget(llvm::ArrayRef<ValueId> ids);
  void setResults(llvm::ArrayRef<ValueId> results, llvm::ArrayRef<Known> known);
  llvm::SmallVector<Known, 4> yielded(RegionId region, unsigned drop = 0) const;
  std::optional<int64_t> cellOf(const Op &access) const;
  void evaluate(OpId id);
  bool evaluateCounters(const Op &op);
  bool visitIf(OpId id);
  bool visitFor(OpId id);
  bool visitLoop(OpId id);

  uint64_t maxSteps_, steps_ = 0;
  std::vector<Known> values_;
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_KNOWNWALK_H

//===- FoldPlan.h - Which values are printed inside their one use -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function. Out: for each value, whether its defining op is printed where
// it is used rather than as a statement of its own, and how often it is used.
// Invariant: folding moves no load across a store, and evaluates nothing more
// often than the IR does.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CXX_FOLDPLAN_H
#define COLONNADE_EMIT_CXX_FOLDPLAN_H

#include "IR/Function.h"

namespace colonnade {

/// As `needless` of a FoldPlan: loads. In a kernel one whose value is not used is not printed, nor
/// what only its address needs.
std::vector<bool> allLoads(const ir::Function &function);

class FoldPlan {
public:
  /// `needless`, per op: a Store that is not printed; a Load, If or For that is printed only if its
  /// results are used. Empty: there is none.
  explicit FoldPlan(const ir::Function &function, const std::vector<bool> &needless = {});

  bool folded(ValueId value) const { return folded_[value.index]; }
  bool omitted(OpId op) const { return !omitted_.empty() && omitted_[op.index]; }
  unsigned uses(ValueId value) const { return uses_[value.index]; }

private:
  void countUses();
  void omit(const std::vector<bool> &needless);
  void planRegion(RegionId region);
  bool mayFold(const ir::Op &op) const;

  const ir::Function &function_;
  std::vector<bool> omitted_; // per op: needless, or used by such alone; empty: none
  std::vector<unsigned> uses_;
  std::vector<bool> folded_;
  std::vector<OpId> user_;       // the last user seen
  std::vector<RegionId> region_; // per op: its region
  std::vector<uint32_t> epoch_;  // per op: writes before it in its region
  std::vector<uint32_t> size_;   // per op: operations in its text
  std::vector<OpId> root_;       // per op: the statement it is printed in
};

/// No side effect, no region; a Load counts as pure here.
bool isExpression(const ir::Op &op);

} // namespace colonnade

#endif // COLONNADE_EMIT_CXX_FOLDPLAN_H

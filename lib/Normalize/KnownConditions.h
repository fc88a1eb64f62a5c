//===- KnownConditions.h - What is known of conditions on the way here ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: conditions that hold (or do not) at a point of a function, each until it is
// forgotten with its scope. Out: the truth of any condition that follows from them,
// through Not, And, Or and Ifs whose arms yield constants; and which value such an
// If gave. Invariant: what is said follows from what was assumed; "not known" is
// always a right answer. An SSA value has one truth wherever it is visible.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_KNOWNCONDITIONS_H
#define COLONNADE_NORMALIZE_KNOWNCONDITIONS_H

#include "IR/Function.h"

#include "llvm/ADT/DenseMap.h"

namespace colonnade::canonical {

class KnownConditions {
public:
  explicit KnownConditions(const ir::Function &function) : function_(function) {}

  size_t mark() const { return log_.size(); }
  /// Whose truth was learned at that mark.
  ValueId at(size_t mark) const { return ValueId(log_[mark]); }
  void assume(ValueId cond, bool truth);
  void forgetSince(size_t mark);
  std::optional<bool> known(ValueId cond) const;
  /// What `v`, a result of an If with a known condition, was given there; an
  /// invalid id if `v` is nothing of the kind.
  ValueId given(ValueId v) const;

private:
  // `ifs`: how many are still looked through.
  std::optional<bool> known(ValueId cond, unsigned &ifs) const;
  ValueId given(ValueId v, unsigned &ifs) const;

  const ir::Function &function_;
  llvm::DenseMap<uint32_t, bool> truths_; // by value
  std::vector<uint32_t> log_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_KNOWNCONDITIONS_H

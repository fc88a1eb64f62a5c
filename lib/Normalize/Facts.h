//===- Facts.h - What is known of conditions on the way here ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Truths about Bool values, with what follows from them through Not, And, Or and
// through Ifs whose arms yield constants. An SSA value has one truth wherever it
// is visible, so a fact holds until it is forgotten with its scope.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_FACTS_H
#define COLONNADE_NORMALIZE_FACTS_H

#include "IR/Function.h"

#include "llvm/ADT/DenseMap.h"

namespace colonnade::canonical {

class Facts {
public:
  explicit Facts(const ir::Function &function) : function_(function) {}

  size_t mark() const { return log_.size(); }
  void assume(ValueId cond, bool truth);
  void forgetSince(size_t mark);
  std::optional<bool> known(ValueId cond) const;
  /// What `v`, a result of an If with a known condition, was given there; an
  /// invalid id if `v` is nothing of the kind.
  ValueId given(ValueId v) const;

private:
  const ir::Function &function_;
  llvm::DenseMap<uint32_t, bool> truths_; // by value
  std::vector<uint32_t> log_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_FACTS_H

//===- LeavingArms.h - Arms after which a lane leaves its loop --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that a loop carries and nothing reads after it means nothing in a lane that
// has left. So where one arm of an If leaves the loop, what that arm yields for such a
// value is never read:
//
//   if (xx + yy > 4) return iteration;  x = xx - yy + re;    x needs no select
//
// In: a canonical function. Out: for a result of an If, the arm whose value of it nothing
// reads. Invariant: what any lane may still read is never named.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PREDICATION_LEAVINGARMS_H
#define COLONNADE_TRANSFORM_PREDICATION_LEAVINGARMS_H

#include "IR/Function.h"

#include <optional>

namespace colonnade {

class LeavingArms {
public:
  explicit LeavingArms(const ir::Function &function);

  bool isRead(ValueId value) const { return uses_[value.index] > 0; }
  /// `result` of an If: the arm (0 or 1) whose value of it nothing reads.
  std::optional<unsigned> unreadArm(ValueId result) const;

private:
  void visitLoop(const ir::Op &loop);
  std::optional<unsigned> leavingArm(const ir::Op &choice, ValueId continues) const;
  ValueId withoutNot(ValueId value, bool &negated) const;

  const ir::Function &function_;
  std::vector<unsigned> uses_;        // by value
  std::vector<unsigned> unreadUses_;  // by value: as a carried value that nothing reads later
  std::vector<ValueId> continueFlag_; // by value: the continue flag of the loop that carries it so
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PREDICATION_LEAVINGARMS_H

//===- LeavingArms.cpp - Arms after which a lane leaves its loop ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is only ever carried into the next iteration, by a loop whose result for it
// nothing reads, need not be right where the loop ends. So each value's uses are counted,
// and those of that kind apart: if the numbers are equal, what an arm yields for it while it
// makes the loop's continue flag false is read by nobody.
//
//===----------------------------------------------------------------------===//

#include "Transform/Predication/LeavingArms.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

LeavingArms::LeavingArms(const ir::Function &function)
    : function_(function), uses_(function.values.size()), unreadUses_(function.values.size()),
      continueFlag_(function.values.size()) {
  for (const Op &op : function.ops)
    for (ValueId operand : op.operands)
      ++uses_[operand.index];
  for (const Op &op : function.ops)
    if (op.opcode == Opcode::Loop || (op.opcode == Opcode::For && op.hasContinueFlag))
      visitLoop(op);
}

void LeavingArms::visitLoop(const Op &loop) {
  const Op &yield = function_.terminator(loop.regions.back());
  ValueId continues = yield.operands[0];
  size_t firstCarried = loop.opcode == Opcode::For ? 1 : 0; // results: counter, carried…
  for (size_t i = 1; i < yield.operands.size(); ++i) {
    ValueId next = yield.operands[i];
    if (isRead(loop.results[i - 1 + firstCarried]) ||
        (continueFlag_[next.index] && continueFlag_[next.index] != continues))
      continue;
    ++unreadUses_[next.index];
    continueFlag_[next.index] = continues;
  }
}

std::optional<unsigned> LeavingArms::unreadArm(ValueId result) const {
  uint32_t index = result.index;
  if (!continueFlag_[index] || unreadUses_[index] != uses_[index])
    return std::nullopt;
  return leavingArm(*function_.definition(result), continueFlag_[index]);
}

/// The arm of `choice` in which `continues` is false.
std::optional<unsigned> LeavingArms::leavingArm(const Op &choice, ValueId continues) const {
  bool flagNegated = false, choiceNegated = false;
  ValueId flag = withoutNot(continues, flagNegated);
  if (flag == withoutNot(choice.operands[0], choiceNegated))
    return flagNegated == choiceNegated ? 1 : 0;
  for (size_t i = 0; i < choice.results.size(); ++i)
    for (unsigned arm = 0; choice.results[i] == flag && arm < 2; ++arm) {
      const ir::Scalar *yielded =
          function_.constant(function_.terminator(choice.regions[arm]).operands[i]);
      if (yielded && (yielded->bits != 0) == flagNegated)
        return arm;
    }
  return std::nullopt;
}

ValueId LeavingArms::withoutNot(ValueId value, bool &negated) const {
  const Op *op = function_.definition(value);
  while (op && op->opcode == Opcode::Not && function_.value(value).type == ir::ScalarType::Bool) {
    negated = !negated;
    value = op->operands[0];
    op = function_.definition(value);
  }
  return value;
}

} // namespace colonnade

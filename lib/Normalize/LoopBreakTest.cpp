//===- LoopBreakTest.cpp - Loops that break on a counter ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// for (;;) { if (!(counter test)) break; … }
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopShape.h"

#include "IR/ValueNumbering.h"

namespace colonnade::canonical {

using ir::Opcode;

std::optional<LoopShape> LoopMatcher::matchBreakHead(const ir::Op &loop) const {
  LoopShape shape;
  for (OpId id : llvm::ArrayRef<OpId>(f_.region(loop.regions[1]).ops).drop_back()) {
    if (ir::isPure(f_.op(id)))
      continue;
    if (f_.op(id).opcode != Opcode::If || shape.breakHead)
      return std::nullopt;
    shape.breakHead = id;
  }
  if (!shape.breakHead)
    return std::nullopt;
  ValueId head = f_.op(shape.breakHead).operands[0];
  for (bool onTrue : {true, false}) {
    KnownConditions leaves(f_);
    leaves.assume(head, !onTrue);
    std::optional<Comparison> test = comparison(head, onTrue);
    if (!test || leaves.known(condition(loop, 1)) != false)
      continue;
    shape.headOnTrue = onTrue;
    if (matchBreakCounter(loop, *test, shape))
      return shape;
  }
  return std::nullopt;
}

bool LoopMatcher::matchBreakCounter(const ir::Op &loop, Comparison found, LoopShape &shape) const {
  ValueId head = f_.op(shape.breakHead).operands[0];
  KnownConditions leaves(f_), repeats(f_), breaks(f_), stays(f_);
  leaves.assume(head, !shape.headOnTrue);
  stays.assume(head, shape.headOnTrue);
  repeats.assume(condition(loop, 1), true);
  breaks.assume(head, shape.headOnTrue);
  breaks.assume(condition(loop, 1), false);
  shape.hasContinueFlag = stays.known(condition(loop, 1)) != true;
  for (size_t i = 0; i < loop.operands.size(); ++i)
    if (under(given(loop, 1, i), leaves) != argument(loop, 1, i))
      return false;
  return matchBodyCounter(loop, found, repeats, breaks, shape);
}

} // namespace colonnade::canonical

//===- LoopPostTest.cpp - Loops that test a counter last ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// do … while (counter test), perhaps under a condition on data.
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopShape.h"

namespace colonnade::canonical {

using ir::Opcode;

std::optional<LoopShape> LoopMatcher::matchPostTest(const ir::Op &loop) {
  LoopShape shape;
  shape.postTest = true;
  for (size_t i = 0; i < loop.operands.size(); ++i)
    if (given(loop, 0, i) != argument(loop, 0, i))
      return std::nullopt;
  if (!isPure(loop.regions[0], {}))
    return std::nullopt;
  if (auto found = matchBreakHead(loop))
    return found;
  KnownConditions stays(f_);
  ValueId continues = condition(loop, 1);
  if (auto test = comparison(continues))
    return matchPostCounter(loop, *test, stays, shape) ? std::optional(shape) : std::nullopt;
  const ir::Op *rest = f_.definition(continues);
  if (!rest || rest->opcode != Opcode::If)
    return std::nullopt;
  shape.hasContinueFlag = true;
  shape.rest = f_.value(continues).def;
  if (opRegion_[shape.rest.index] != loop.regions[1])
    return std::nullopt;
  for (bool onTrue : {true, false}) {
    uint32_t index = f_.value(continues).index;
    ValueId inner = f_.terminator(rest->regions[onTrue ? 0 : 1]).operands[index];
    const ir::Scalar *other =
        f_.constant(f_.terminator(rest->regions[onTrue ? 1 : 0]).operands[index]);
    auto test = comparison(inner);
    if (!other || other->bits != 0 || !test)
      continue;
    shape.restOnTrue = onTrue;
    stays.assume(rest->operands[0], onTrue);
    if (matchPostCounter(loop, *test, stays, shape))
      return shape;
    return std::nullopt;
  }
  return std::nullopt;
}

bool LoopMatcher::matchPostCounter(const ir::Op &loop, Comparison found,
                                   const KnownConditions &stays, LoopShape &shape) const {
  KnownConditions breaks(f_);
  if (shape.rest)
    breaks.assume(f_.op(shape.rest).operands[0], !shape.restOnTrue);
  return matchBodyCounter(loop, found, stays, breaks, shape);
}

} // namespace colonnade::canonical

//===- LoopHeadTest.cpp - Loops that test a counter first -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// while (counter test), perhaps with a condition on data: while (counter test && data).
// The order of the two is free if neither has an access.
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopShape.h"

namespace colonnade::canonical {

using ir::Opcode;

std::optional<LoopShape> LoopMatcher::matchHead(const ir::Op &loop) {
  LoopShape shape;
  ValueId cond = condition(loop, 0);
  if (isPure(loop.regions[0], {}) && matchHeadTest(loop, cond, shape))
    return shape;
  const ir::Op *data = f_.definition(cond);
  if (!data || data->opcode != Opcode::If)
    return std::nullopt;
  uint32_t index = f_.value(cond).index;
  OpId id = f_.value(cond).def;
  const ir::Scalar *otherwise = f_.constant(f_.terminator(data->regions[1]).operands[index]);
  if (!otherwise || otherwise->bits != 0 || opRegion_[id.index] != loop.regions[0] ||
      !isPure(loop.regions[0], id) || !isPure(data->regions[1], {}))
    return std::nullopt;
  shape = {};
  shape.data = id;
  shape.dataCond = f_.terminator(data->regions[0]).operands[index];
  if (matchHeadTest(loop, data->operands[0], shape))
    return shape;
  // data && counter test: the order does not matter if neither has an access.
  ValueId test = shape.dataCond;
  shape = {};
  shape.data = id;
  shape.dataFirst = true;
  shape.dataCond = data->operands[0];
  for (size_t i = 0; i < loop.operands.size(); ++i)
    if (given(loop, 0, i) != argument(loop, 0, i))
      return std::nullopt;
  if (isPure(data->regions[0], {}) && matchHeadTest(loop, test, shape))
    return shape;
  return std::nullopt;
}

bool LoopMatcher::matchHeadTest(const ir::Op &loop, ValueId head, LoopShape &shape) const {
  const ir::Scalar *continues = f_.constant(condition(loop, 1));
  shape.hasContinueFlag = shape.data || !continues || continues->bits == 0;
  if (!matchCounter(loop, head, shape))
    return false;
  if (!shape.hasContinueFlag)
    return true;
  // Where the counter's test fails, all else must be what the iteration started with.
  KnownConditions leaves(f_);
  leaves.assume(head, false);
  for (size_t i = 0; i < loop.operands.size(); ++i)
    if (i != shape.counter && !shape.dataFirst &&
        under(given(loop, 0, i), leaves) != argument(loop, 0, i))
      return false;
  return true;
}

bool LoopMatcher::matchCounter(const ir::Op &loop, ValueId head, LoopShape &shape) const {
  std::optional<Comparison> found = comparison(head);
  if (!found)
    return false;
  KnownConditions stays(f_), leaves(f_), repeats(f_), breaks(f_);
  stays.assume(head, true);
  leaves.assume(head, false);
  repeats.assume(condition(loop, 1), true);
  breaks.assume(condition(loop, 1), false);
  return matchAnyCounter(loop, *found, [&](Comparison test, size_t i) -> std::optional<bool> {
    ValueId x = argument(loop, 0, i), y = argument(loop, 1, i);
    auto links = chain(test.a, x);
    if (!links)
      return std::nullopt;
    ValueId forwarded = under(given(loop, 0, i), stays), next = under(given(loop, 1, i), repeats);
    LoopShape::Step leaving;
    if (!matchStep(forwarded, x, shape.before) || !matchStep(next, y, shape.after) ||
        !matchStep(under(given(loop, 0, i), leaves), x, leaving) ||
        leaving.amount != shape.before.amount || leaving.subtract != shape.before.subtract)
      return false;
    bool twoSteps = shape.before.amount && shape.after.amount;
    if ((!shape.before.amount && !shape.after.amount) ||
        (twoSteps && (!f_.constant(shape.before.amount) || !f_.constant(shape.after.amount))))
      return false;
    shape.counter = i;
    shape.chain = *links;
    shape.predicate = predicateOf(test.opcode);
    shape.exitIsCounter = !shape.hasContinueFlag || under(given(loop, 1, i), breaks) == y;
    if (!shape.exitIsCounter && shape.before.amount)
      return false;
    return chooseType(test, x, isDirectStep(forwarded, x) && isDirectStep(next, y), shape);
  });
}

} // namespace colonnade::canonical

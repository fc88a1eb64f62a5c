//===- LoopShape.cpp - Recognises loops that count ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three forms: the test at the head, in the first If of an endless loop, and at
// the end of an iteration. What may count is in LoopSteps.cpp. Nothing is concluded
// about termination: a For runs exactly as the Loop it stands for, wrap-around
// included.
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopShape.h"

namespace colonnade::canonical {

using ir::Opcode;
using ir::ScalarType;

LoopMatcher::LoopMatcher(const ir::Function &function) : f_(function) {
  opRegion_.resize(f_.ops.size());
  depth_.resize(f_.regions.size());
  std::vector<RegionId> work = {f_.body};
  while (!work.empty()) {
    RegionId region = work.back();
    work.pop_back();
    for (OpId id : f_.region(region).ops) {
      opRegion_[id.index] = region;
      for (RegionId inner : f_.op(id).regions) {
        depth_[inner.index] = depth_[region.index] + 1;
        work.push_back(inner);
      }
    }
  }
}

std::optional<LoopShape> LoopMatcher::match(OpId id) {
  loop_ = &f_.op(id);
  const ir::Scalar *always = f_.constant(condition(*loop_, 0));
  if (always && always->bits != 0)
    return matchPostTest(*loop_);
  return matchHead(*loop_);
}

bool LoopMatcher::isInside(ValueId v) const {
  const ir::Value &value = f_.value(v);
  RegionId region = value.def ? opRegion_[value.def.index] : value.region;
  uint32_t top = depth_[loop_->regions[0].index];
  while (depth_[region.index] > top)
    region = opRegion_[f_.region(region).parent.index];
  return region == loop_->regions[0] || region == loop_->regions[1];
}

static bool isPureOp(const ir::Op &op) {
  return op.opcode <= Opcode::Select && op.opcode != Opcode::Undef;
}

/// Defined outside, or computed inside from such values without an access.
bool LoopMatcher::isInvariant(ValueId v, unsigned depth) const {
  if (!isInside(v))
    return true;
  const ir::Op *op = f_.definition(v);
  if (!op || !isPureOp(*op) || depth == 0)
    return false;
  for (ValueId operand : op->operands)
    if (!isInvariant(operand, depth - 1))
      return false;
  return true;
}

bool LoopMatcher::isPure(RegionId region, OpId except) const {
  llvm::ArrayRef<OpId> ops = f_.region(region).ops;
  for (OpId id : ops.drop_back())
    if (id != except && !isPureOp(f_.op(id)))
      return false;
  return true;
}

static Opcode inverted(Opcode comparison) {
  switch (comparison) {
  case Opcode::Eq:
    return Opcode::Ne;
  case Opcode::Ne:
    return Opcode::Eq;
  case Opcode::Lt:
    return Opcode::Ge;
  case Opcode::Le:
    return Opcode::Gt;
  case Opcode::Gt:
    return Opcode::Le;
  default:
    return Opcode::Lt;
  }
}

/// `cond == holds` as a comparison of integers that can keep a For running.
std::optional<LoopMatcher::Comparison> LoopMatcher::comparison(ValueId cond, bool holds) const {
  const ir::Op *op = f_.definition(cond);
  for (; op && op->opcode == Opcode::Not; op = f_.definition(op->operands[0]))
    holds = !holds;
  if (!op || op->opcode < Opcode::Eq || op->opcode > Opcode::Ge ||
      !ir::isInteger(f_.value(op->operands[0]).type))
    return std::nullopt;
  Opcode opcode = holds ? op->opcode : inverted(op->opcode);
  if (opcode == Opcode::Eq)
    return std::nullopt;
  return Comparison{opcode, op->operands[0], op->operands[1]};
}

ValueId LoopMatcher::under(ValueId v, const KnownConditions &known) const {
  for (ValueId given = known.given(v); given; given = known.given(v))
    v = given;
  return v;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static Opcode mirrored(Opcode comparison) {
  switch (comparison) {
  case Opcode::Lt:
    return Opcode::Gt;
  case Opcode::Le:
    return Opcode::Ge;
  case Opcode::Gt:
    return Opcode::Lt;
  case Opcode::Ge:
    return Opcode::Le;
  default:
    return comparison;
  }
}

static ir::Predicate predicateOf(Opcode comparison) {
  switch (comparison) {
  case Opcode::Lt:
    return ir::Predicate::Lt;
  case Opcode::Le:
    return ir::Predicate::Le;
  case Opcode::Gt:
    return ir::Predicate::Gt;
  case Opcode::Ge:
    return ir::Predicate::Ge;
  default:
    return ir::Predicate::Ne;
  }
}

//===----------------------------------------------------------------------===//
// while (counter test && data) …
//===----------------------------------------------------------------------===//

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
  Comparison tests[] = {*found, {mirrored(found->opcode), found->b, found->a}};
  for (Comparison test : tests) {
    if (!isInvariant(test.b))
      continue;
    for (size_t i = 0; i < loop.operands.size(); ++i) {
      ValueId x = argument(loop, 0, i), y = argument(loop, 1, i);
      auto links = chain(test.a, x);
      if (!links)
        continue;
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
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// for (;;) { if (!(counter test)) break; …
//===----------------------------------------------------------------------===//

std::optional<LoopShape> LoopMatcher::matchBreakHead(const ir::Op &loop) const {
  LoopShape shape;
  for (OpId id : llvm::ArrayRef<OpId>(f_.region(loop.regions[1]).ops).drop_back()) {
    if (isPureOp(f_.op(id)))
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
  Comparison tests[] = {found, {mirrored(found.opcode), found.b, found.a}};
  for (Comparison test : tests) {
    if (!isInvariant(test.b))
      continue;
    for (size_t i = 0; i < loop.operands.size(); ++i) {
      ValueId x = argument(loop, 1, i), next = under(given(loop, 1, i), repeats);
      auto links = chain(test.a, x);
      if (!links || !matchStep(next, x, shape.after) || !shape.after.amount)
        continue;
      shape.counter = i;
      shape.chain = *links;
      shape.predicate = predicateOf(test.opcode);
      shape.exitIsCounter = !shape.hasContinueFlag || under(given(loop, 1, i), breaks) == x;
      return chooseType(test, x, isDirectStep(next, x), shape);
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// do … while (counter test)
//===----------------------------------------------------------------------===//

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
  Comparison tests[] = {found, {mirrored(found.opcode), found.b, found.a}};
  for (Comparison test : tests) {
    if (!isInvariant(test.b))
      continue;
    for (size_t i = 0; i < loop.operands.size(); ++i) {
      ValueId x = argument(loop, 1, i), next = under(given(loop, 1, i), stays);
      auto links = chain(under(test.a, stays), next);
      if (!links || !matchStep(next, x, shape.after) || !shape.after.amount)
        continue;
      shape.counter = i;
      shape.chain = *links;
      shape.predicate = predicateOf(test.opcode);
      shape.exitIsCounter = !shape.rest || under(given(loop, 1, i), breaks) == x;
      return chooseType(test, x, isDirectStep(next, x), shape);
    }
  }
  return false;
}

} // namespace colonnade::canonical

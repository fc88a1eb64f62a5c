//===- LoopShape.cpp - Recognises loops that count ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the three forms have in common: the test stands at the head (LoopHeadTest.cpp), in
// the first If of an endless loop (LoopBreakTest.cpp) or at the end of an iteration
// (LoopPostTest.cpp). What may count is in LoopSteps.cpp.
//
//===----------------------------------------------------------------------===//

#include "Normalize/LoopShape.h"

#include "IR/ValueNumbering.h"

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

bool LoopMatcher::isAlwaysComputed(ValueId v) const {
  OpId def = f_.value(v).def;
  return def && opRegion_[def.index] == loop_->regions[0];
}

std::pair<ValueId, ValueId> LoopMatcher::yieldedFor(const ir::Op &branch, ValueId v) const {
  const uint32_t k = f_.value(v).index;
  return {f_.terminator(branch.regions[0]).operands[k],
          f_.terminator(branch.regions[1]).operands[k]};
}

/// `i < j ? i : j` where the loop changes neither. What else its arms do stays where it is.
bool LoopMatcher::isInvariantChoice(const ir::Op &branch, ValueId v, unsigned depth) const {
  const auto [taken, other] = yieldedFor(branch, v);
  return isInvariant(branch.operands[0], depth) && isInvariant(taken, depth) &&
         isInvariant(other, depth);
}

/// Defined outside, or computed inside from such values without an access. Not a conversion to
/// an integer behind a condition: it may be undefined where the loop would not come to it.
bool LoopMatcher::isInvariant(ValueId v, unsigned depth) const {
  if (!isInside(v))
    return true;
  const ir::Op *op = f_.definition(v);
  if (!op || depth == 0)
    return false;
  if (op->opcode == Opcode::If)
    return isInvariantChoice(*op, v, depth - 1);
  if (!ir::isPure(*op))
    return false;
  bool rounds = op->opcode == Opcode::Cast && ir::isInteger(f_.value(v).type) &&
                ir::isFloat(f_.value(op->operands[0]).type);
  if (rounds && !isAlwaysComputed(v))
    return false;
  for (ValueId operand : op->operands)
    if (!isInvariant(operand, depth - 1))
      return false;
  return true;
}

bool LoopMatcher::isPure(RegionId region, OpId except) const {
  llvm::ArrayRef<OpId> ops = f_.region(region).ops;
  return llvm::all_of(ops.drop_back(), [&](OpId id) {
    const ir::Op &op = f_.op(id);
    const bool isChoice = op.opcode == Opcode::If;
    return id == except || ir::isPure(op) ||
           (isChoice && isPure(op.regions[0], {}) && isPure(op.regions[1], {}));
  });
}

/// `cond == holds` as a comparison of integers that can keep a For running.
std::optional<LoopMatcher::Comparison> LoopMatcher::comparison(ValueId cond, bool holds) const {
  const ir::Op *op = f_.definition(cond);
  for (; op && op->opcode == Opcode::Not; op = f_.definition(op->operands[0]))
    holds = !holds;
  if (!op || !ir::isComparison(op->opcode) || !ir::isInteger(f_.value(op->operands[0]).type))
    return std::nullopt;
  Opcode opcode = holds ? op->opcode : ir::inverted(op->opcode);
  if (opcode == Opcode::Eq)
    return std::nullopt;
  return Comparison{opcode, op->operands[0], op->operands[1]};
}

ValueId LoopMatcher::under(ValueId v, const KnownConditions &known) const {
  for (ValueId given = known.given(v); given; given = known.given(v))
    v = given;
  return v;
}

ir::Predicate LoopMatcher::predicateOf(Opcode comparison) {
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

bool LoopMatcher::matchAnyCounter(
    const ir::Op &loop, Comparison found,
    llvm::function_ref<std::optional<bool>(Comparison, size_t)> match) const {
  const Comparison other = {ir::mirrored(found.opcode), found.b, found.a};
  for (Comparison test : {found, other}) {
    if (!isInvariant(test.b))
      continue;
    for (size_t i = 0; i < loop.operands.size(); ++i)
      if (std::optional<bool> matched = match(test, i))
        return *matched;
  }
  return false;
}

bool LoopMatcher::matchBodyCounter(const ir::Op &loop, Comparison found,
                                   const KnownConditions &repeats, const KnownConditions &breaks,
                                   LoopShape &shape) const {
  return matchAnyCounter(loop, found, [&](Comparison test, size_t i) -> std::optional<bool> {
    ValueId x = argument(loop, 1, i), next = under(given(loop, 1, i), repeats);
    auto links = shape.postTest ? chain(under(test.a, repeats), next) : chain(test.a, x);
    if (!links || !matchStep(next, x, shape.after) || !shape.after.amount)
      return std::nullopt;
    shape.counter = i;
    shape.chain = *links;
    shape.predicate = predicateOf(test.opcode);
    shape.exitIsCounter = !shape.hasContinueFlag || under(given(loop, 1, i), breaks) == x;
    return chooseType(test, x, isDirectStep(next, x), shape);
  });
}

} // namespace colonnade::canonical

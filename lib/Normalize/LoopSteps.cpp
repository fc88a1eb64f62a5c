//===- LoopSteps.cpp - The counter of a loop, its steps and its type ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the tested value comes out of the carried one, what each iteration adds to it,
// and in which type the For counts. A counter narrower than the comparison may
// wrap before it reaches the limit; it is taken only where that cannot be: the
// limit fits its type, or it is an int or long whose overflow is undefined. An int or long
// that is stepped in another type (i += 4u) wraps, and counts where the For does, too.
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"
#include "Normalize/LoopShape.h"

namespace colonnade::canonical {

using ir::Opcode;
using ir::ScalarType;

std::optional<std::vector<ValueId>> LoopMatcher::chain(ValueId tested, ValueId from) const {
  std::vector<ValueId> outsideIn;
  while (tested != from) {
    const ir::Op *op = f_.definition(tested);
    if (!op)
      return std::nullopt;
    bool shift =
        (op->opcode == Opcode::Add || op->opcode == Opcode::Sub) && f_.constant(op->operands[1]);
    bool cast = op->opcode == Opcode::Cast && ir::isInteger(f_.value(op->operands[0]).type) &&
                ir::bitWidth(f_.value(tested).type) >= ir::bitWidth(f_.value(op->operands[0]).type);
    if (!shift && !cast)
      return std::nullopt;
    outsideIn.push_back(tested);
    tested = op->operands[0];
  }
  return std::vector<ValueId>(outsideIn.rbegin(), outsideIn.rend());
}

/// next == from, or from + amount, perhaps computed in another type that keeps all of its bits.
bool LoopMatcher::matchStep(ValueId next, ValueId from, LoopShape::Step &step) const {
  step = {};
  if (next == from)
    return true;
  auto keepsBits = [&](ValueId v) {
    ScalarType type = f_.value(v).type;
    return ir::isInteger(type) && ir::bitWidth(type) >= ir::bitWidth(f_.value(from).type);
  };
  auto strip = [&](ValueId v) {
    const ir::Op *op = f_.definition(v);
    while (op && op->opcode == Opcode::Cast && keepsBits(v) && keepsBits(op->operands[0])) {
      v = op->operands[0];
      op = f_.definition(v);
    }
    return v;
  };
  const ir::Op *op = f_.definition(strip(next));
  if (!op || (op->opcode != Opcode::Add && op->opcode != Opcode::Sub) || !keepsBits(op->results[0]))
    return false;
  ValueId a = op->operands[0], b = op->operands[1];
  if (op->opcode == Opcode::Add && strip(a) != from)
    std::swap(a, b);
  if (strip(a) != from || !isInvariant(b))
    return false;
  step = {b, op->opcode == Opcode::Sub};
  return true;
}

bool LoopMatcher::isDirectStep(ValueId next, ValueId from) const {
  const ir::Op *op = f_.definition(next);
  return next == from ||
         (op && op->opcode != Opcode::Cast && (op->operands[0] == from || op->operands[1] == from));
}

static bool fits(int64_t value, ScalarType type) {
  return ir::asInt64(ir::makeInt(type, value)) == value;
}

bool LoopMatcher::chooseType(Comparison test, ValueId counter, bool directStep,
                             LoopShape &shape) const {
  ScalarType own = f_.value(counter).type;
  shape.type = f_.value(test.a).type;
  shape.limit = test.b;
  const bool wraps = ir::isSigned(own) && ir::bitWidth(own) >= 32 && !directStep;
  bool widened = false;
  for (ValueId v : shape.chain)
    widened |= f_.definition(v)->opcode == Opcode::Cast;
  if (!widened)
    return !wraps || countsWrapping(counter, shape);
  if (shape.chain.size() == 1) {
    bool wider = ir::bitWidth(shape.type) > ir::bitWidth(own);
    bool lossless = wider && (ir::isSigned(shape.type) || !ir::isSigned(own));
    const ir::Scalar *constant = f_.constant(test.b);
    bool fitsOwn = constant && fits(ir::asInt64(*constant), own) &&
                   (ir::isSigned(constant->type) || int64_t(constant->bits) >= 0);
    const ir::Op *cast = f_.definition(test.b);
    bool sameOrigin =
        cast && cast->opcode == Opcode::Cast && f_.value(cast->operands[0]).type == own;
    if (lossless && (fitsOwn || sameOrigin)) {
      shape.chain.clear();
      shape.type = own;
      if (sameOrigin)
        shape.limit = cast->operands[0];
      // A constant limit is converted when the For is built.
      return !wraps || countsWrapping(counter, shape);
    }
  }
  if (wraps)
    return countsWrapping(counter, shape);
  return ir::isSigned(own) && ir::bitWidth(own) >= 32 && followsSteps(shape);
}

/// Of a counter that begins anew behind its last value, where the overflow of others is undefined:
/// modulo 2^width the tested value takes the same steps. For equality and unsigned orders that is
/// all; a signed order needs a limit before which nothing begins anew.
bool LoopMatcher::countsWrapping(ValueId counter, LoopShape &shape) const {
  const unsigned bits = ir::bitWidth(f_.value(counter).type);
  for (ValueId link : shape.chain)
    if (ir::bitWidth(f_.value(link).type) != bits)
      return false;
  if (shape.before.amount || (shape.postTest && !shape.chain.empty()))
    return false;
  if (shape.predicate == ir::Predicate::Ne)
    shape.type = ir::integerType(bits / 8, /*isSigned=*/false);
  const ir::Scalar *amount = f_.constant(shape.after.amount);
  if (!ir::isSigned(shape.type) || !amount)
    return !ir::isSigned(shape.type);
  const bool up = shape.predicate == ir::Predicate::Lt || shape.predicate == ir::Predicate::Le;
  const bool strict = shape.predicate == ir::Predicate::Lt || shape.predicate == ir::Predicate::Gt;
  // Downwards, all is mirrored: ~x of a limit or a start, -x of a step.
  const int64_t largest = static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1);
  const int64_t added = ir::asInt64(ir::makeInt(shape.type, ir::asInt64(*amount)));
  if (added == INT64_MIN)
    return false;
  const int64_t step = shape.after.subtract == up ? -added : added;
  auto mirrored = [&](int64_t value) { return up ? value : ~value; };
  const ir::Scalar *start = f_.constant(loop_->operands[shape.counter]);
  const bool stepsFirst = shape.postTest; // before any test
  if (step < 1 || (stepsFirst && (!start || mirrored(ir::asInt64(*start)) > largest - step)))
    return false;
  const int64_t last = largest - (step - strict);
  if (const ir::Scalar *limit = f_.constant(shape.limit))
    return mirrored(ir::asInt64(*limit)) <= last;
  if (last != largest)
    shape.lastLimit = mirrored(last);
  return true;
}

/// Where the counter, an int or long, does not overflow, every step of it is the
/// same step of the tested value: the chain widens signed values only. A
/// last cast that only changes the signedness keeps it equal modulo 2^width.
bool LoopMatcher::followsSteps(const LoopShape &shape) const {
  for (ValueId link : shape.chain) {
    const ir::Op &op = *f_.definition(link);
    if (op.opcode == Opcode::Cast && !ir::isSigned(f_.value(op.operands[0]).type))
      return false;
  }
  return true;
}

} // namespace colonnade::canonical

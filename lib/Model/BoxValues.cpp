//===- BoxValues.cpp - Operations in a box --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation, whose operands are linear in a box (Boxes.h). Out: its result, linear in the
// box as well, which is cut where that takes it (BoxCuts.cpp).
//
// Invariant: a result is in every iteration of the box what the interpreter computes there.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;

LinearValue ProfileSummary::BoxWalk::withSymbols(const BoxValue &value, int64_t base) const {
  LinearValue result = LinearValue::of(ir::makeInt(ScalarType::S64, base));
  forEachDimension(value.changing & symbols(),
                   [&](unsigned d) { result.terms[d] = value.steps[d]; });
  return result;
}

bool ProfileSummary::BoxWalk::isWithin(const BoxValue &value, int64_t low, int64_t high) const {
  ValueRange of;
  if (!isBetween(value, of) || of.low < low || of.high > high)
    return false;
  return !hasSymbols(value) ||
         (model::isWithin(withSymbols(value, of.low), low, high, summary_.loops_) &&
          model::isWithin(withSymbols(value, of.high), low, high, summary_.loops_));
}

bool ProfileSummary::BoxWalk::fits(const BoxValue &value, ScalarType type) const {
  if (type == ScalarType::Bool)
    return isWithin(value, 0, 1);
  const unsigned unused = 64 - ir::bitWidth(type);
  if (ir::isSigned(type))
    return isWithin(value, INT64_MIN >> unused, INT64_MAX >> unused);
  return isWithin(value, 0, static_cast<int64_t>((~uint64_t(0) >> unused) & INT64_MAX));
}

/// Without looking whether a type holds it. False: it is not linear.
bool ProfileSummary::BoxWalk::linear(Opcode opcode, const BoxValue &a, const BoxValue &b,
                                     BoxValue &result) const {
  static const BoxValue Zero;
  switch (opcode) {
  case Opcode::Neg:
    return boxSum(a, -1, Zero, 0, result);
  case Opcode::Cast:
    result = a;
    return true;
  case Opcode::Add:
    return boxSum(a, 1, b, 1, result);
  case Opcode::Sub:
    return boxSum(a, 1, b, -1, result);
  case Opcode::Mul:
    if (isKnown(b))
      return boxSum(a, b.base, Zero, 0, result);
    return isKnown(a) && boxSum(b, a.base, Zero, 0, result);
  case Opcode::Shl:
    return isKnown(b) && b.base >= 0 && b.base < 40 &&
           boxSum(a, int64_t(1) << b.base, Zero, 0, result);
  default:
    return false;
  }
}

/// Of single iterations.
bool ProfileSummary::BoxWalk::exact(const Op &op, Opcode opcode) {
  llvm::SmallVector<ir::Scalar, 2> scalars;
  for (ValueId operand : op.operands) {
    if (!makeKnown(value(operand)))
      return false;
    scalars.push_back(ir::makeInt(summary_.typeOf(operand), value(operand).base));
  }
  const ir::ScalarType type = summary_.typeOf(op.results[0]);
  ir::Evaluation result;
  if (ir::isBinary(opcode) && scalars.size() == 2)
    result = ir::evaluateBinary(opcode, scalars[0], scalars[1]);
  else if (opcode == Opcode::Cast)
    result = ir::evaluateCast(scalars[0], type);
  else if (opcode == Opcode::Neg || opcode == Opcode::Not)
    result = ir::evaluateUnary(opcode, scalars[0]);
  else
    return false;
  if (result.undefined != ir::Undefined::None && !op.speculative)
    return false;
  value(op.results[0]) = {};
  value(op.results[0]).base = ir::asInt64(result.value);
  return true;
}

static bool isPeriodic(Opcode opcode, int64_t constant) {
  constexpr int64_t MaxConstant = int64_t(1) << 40;
  switch (opcode) {
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
    return constant >= 0 && constant <= MaxConstant;
  case Opcode::Shr:
    return constant >= 0 && constant < 40;
  case Opcode::Div:
  case Opcode::Rem:
    return constant > 0 && constant <= MaxConstant;
  default:
    return false;
  }
}

bool ProfileSummary::BoxWalk::evaluate(OpId id) {
  const Op &op = function_.op(id);
  if (op.opcode == Opcode::Constant)
    return true; // known before
  if (const IntegerOperation &operation = summary_.integers_[id.index]; operation.isSome()) {
    const BoxValue &a = value(operation.a), &b = value(operation.b);
    const ScalarType type = ScalarType::S64; // its width is not looked at
    if (isKnown(a) && isKnown(b))
      if (const auto result = operation.of({type, static_cast<uint64_t>(a.base)},
                                           {type, static_cast<uint64_t>(b.base)})) {
        value(op.results[0]) = {};
        value(op.results[0]).base = ir::asInt64(*result);
        return true;
      }
  }
  const Opcode opcode = meantBy(op.opcode);
  if (opcode == Opcode::Select)
    return select(op);
  if (llvm::any_of(op.operands, [&](ValueId operand) { return value(operand).isData; })) {
    value(op.results[0]) = BoxValue::data();
    return summary_.isKernel_;
  }
  if (!ir::isInteger(summary_.typeOf(op.operands[0])))
    return exact(op, opcode);
  if (ir::isComparison(opcode))
    return compare(op, opcode, value(op.operands[1]));
  const ScalarType type = summary_.typeOf(op.results[0]);
  if (opcode == Opcode::Cast && type == ScalarType::Bool)
    return compare(op, Opcode::Ne, BoxValue());
  return ir::isInteger(type) ? whole(opcode, op) : exact(op, opcode);
}

bool ProfileSummary::BoxWalk::select(const Op &op) {
  const BoxValue &condition = value(op.operands[0]);
  if (condition.isData) {
    value(op.results[0]) = BoxValue::data();
    return summary_.isKernel_;
  }
  if (!makeKnown(condition))
    return false;
  value(op.results[0]) = value(op.operands[condition.base ? 1 : 2]);
  return true;
}

static bool holdsAllOf(ScalarType type, ScalarType other) {
  return ir::bitWidth(type) > ir::bitWidth(other) && (ir::isSigned(type) || !ir::isSigned(other));
}

/// What is 2^63 or more lies below 0 in boxes, where operations that do not wrap do not take it.
static int64_t leastInBoxes(ScalarType type) { return type == ScalarType::U64 ? 0 : INT64_MIN; }

/// Integers in, an integer out.
bool ProfileSummary::BoxWalk::whole(Opcode opcode, const Op &op) {
  const ScalarType type = summary_.typeOf(op.results[0]);
  const BoxValue &a = value(op.operands[0]), &b = value(op.operands.back());
  BoxValue &result = value(op.results[0]);
  if (opcode == Opcode::Cast && holdsAllOf(type, summary_.typeOf(op.operands[0]))) {
    result = a;
    return true;
  }
  const bool isMade =
      linear(opcode, a, b, result) ||
      (op.operands.size() == 2 && periodic(opcode, a, b, leastInBoxes(type), result));
  if (blamed_)
    return false;
  if (isMade && (fits(result, type) || wrapped(result, type)))
    return true;
  return !blamed_ && exact(op, opcode);
}

/// One of the operands is made known, if neither is. False: it is not linear so, or a symbol has to
/// be known.
bool ProfileSummary::BoxWalk::periodic(Opcode opcode, const BoxValue &a, const BoxValue &b,
                                       int64_t least, BoxValue &result) {
  const bool isMask = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
  const bool isSwapped = isMask && isKnown(a);
  const BoxValue &x = isSwapped ? b : a, &by = isSwapped ? a : b;
  if (!makeKnown(by) || (opcode != Opcode::Mul && !isWithin(x, least, INT64_MAX)))
    return false;
  if (opcode == Opcode::Mul || opcode == Opcode::Shl)
    return linear(opcode, x, by, result);
  if (!isPeriodic(opcode, by.base))
    return false;
  const std::optional<BoxValue> made = isMask || opcode == Opcode::Shr
                                           ? periodic(opcode, x, by.base)
                                           : roundedToZero(opcode, x, by.base);
  result = made.value_or(BoxValue());
  return made.has_value();
}

} // namespace colonnade::model

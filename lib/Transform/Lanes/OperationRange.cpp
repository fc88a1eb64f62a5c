//===- OperationRange.cpp - Intervals through one operation -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's ConstantRange does the arithmetic. Where it assumes that undefined cases
// do not occur (division, shifts), those are added as ir::Evaluation has them.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/OperationRange.h"

#include "llvm/IR/InstrTypes.h"

using namespace colonnade;
using namespace colonnade::ir;
using llvm::APInt;
using llvm::CmpInst;
using llvm::ConstantRange;

static ConstantRange::PreferredRangeType order(ScalarType type) {
  return isSigned(type) ? ConstantRange::Signed : ConstantRange::Unsigned;
}

ConstantRange colonnade::unite(const ConstantRange &a, const ConstantRange &b, ScalarType type) {
  return a.unionWith(b, order(type));
}

static ConstantRange shifted(const Op &op, bool isSigned, const ConstantRange &a,
                             const ConstantRange &count) {
  unsigned width = a.getBitWidth();
  if (count.getUnsignedMax().uge(width))
    return ConstantRange::getFull(width);
  ConstantRange by = count.zextOrTrunc(width);
  if (op.opcode == Opcode::Shl)
    return a.shl(by);
  return isSigned ? a.ashr(by) : a.lshr(by);
}

static ConstantRange divided(const Op &op, ScalarType type, const ConstantRange &a,
                             const ConstantRange &b) {
  unsigned width = a.getBitWidth();
  bool sign = isSigned(type), quotient = op.opcode == Opcode::Div;
  if (sign && a.contains(APInt::getSignedMinValue(width)) && b.contains(APInt::getAllOnes(width)))
    return ConstantRange::getFull(width);
  ConstantRange result = quotient ? (sign ? a.sdiv(b) : a.udiv(b)) : (sign ? a.srem(b) : a.urem(b));
  if (!b.contains(APInt::getZero(width)))
    return result;
  return unite(result, quotient ? a : ConstantRange(APInt::getZero(width)), type); // as by 1
}

static CmpInst::Predicate predicateOf(Opcode opcode, bool sign) {
  switch (opcode) {
  case Opcode::Eq:
    return CmpInst::ICMP_EQ;
  case Opcode::Ne:
    return CmpInst::ICMP_NE;
  case Opcode::Lt:
    return sign ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  case Opcode::Le:
    return sign ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  case Opcode::Gt:
    return sign ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
  default:
    return sign ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
  }
}

/// What `value` is where `condition` holds (or does not).
static ConstantRange refined(const Function &function, ValueId value, ConstantRange range,
                             ValueId condition, bool holds, RangeOf of) {
  const Op *test = function.definition(condition);
  if (!test)
    return range;
  if (test->opcode == Opcode::Not)
    return refined(function, value, range, test->operands[0], !holds, of);
  if (test->opcode == (holds ? Opcode::And : Opcode::Or)) {
    range = refined(function, value, range, test->operands[0], holds, of);
    return refined(function, value, range, test->operands[1], holds, of);
  }
  if (!isComparison(test->opcode))
    return range;
  ValueId a = test->operands[0], b = test->operands[1];
  ScalarType type = function.value(a).type;
  if ((a != value && b != value) || !isInteger(type))
    return range;
  CmpInst::Predicate predicate = predicateOf(test->opcode, isSigned(type));
  if (!holds)
    predicate = CmpInst::getInversePredicate(predicate);
  if (a != value)
    predicate = CmpInst::getSwappedPredicate(predicate);
  ConstantRange allowed = ConstantRange::makeAllowedICmpRegion(predicate, of(a == value ? b : a));
  return range.intersectWith(allowed, order(type));
}

static ConstantRange chosen(const Function &function, const Op &op, ScalarType type, RangeOf of) {
  ValueId condition = op.operands[0], a = op.operands[1], b = op.operands[2];
  return unite(refined(function, a, of(a), condition, true, of),
               refined(function, b, of(b), condition, false, of), type);
}

static ConstantRange castRange(ScalarType from, ScalarType to, RangeOf of, ValueId value) {
  unsigned width = bitWidth(to);
  if (to == ScalarType::Bool || isFloat(from))
    return ConstantRange::getFull(width);
  ConstantRange range = of(value);
  return isSigned(from) ? range.sextOrTrunc(width) : range.zextOrTrunc(width);
}

ConstantRange colonnade::operationRange(const Function &function, const Op &op, RangeOf of) {
  ScalarType type = function.value(op.results[0]).type;
  auto operand = [&](unsigned i) { return of(op.operands[i]); };
  unsigned width = bitWidth(type);
  if (op.opcode == Opcode::Constant)
    return ConstantRange(APInt(width, op.scalar.bits));
  if (op.opcode == Opcode::Cast)
    return castRange(function.value(op.operands[0]).type, type, of, op.operands[0]);
  if (op.opcode == Opcode::Select || op.opcode == Opcode::Blend)
    return chosen(function, op, type, of);
  if (!isInteger(type))
    return ConstantRange::getFull(width);
  switch (op.opcode) {
  case Opcode::Neg:
    return ConstantRange(APInt::getZero(width)).sub(operand(0));
  case Opcode::Not:
    return operand(0).binaryNot();
  case Opcode::Add:
    return operand(0).add(operand(1));
  case Opcode::Sub:
    return operand(0).sub(operand(1));
  case Opcode::Mul:
    return operand(0).multiply(operand(1));
  case Opcode::Div:
  case Opcode::Rem:
    return divided(op, type, operand(0), operand(1));
  case Opcode::And:
    return operand(0).binaryAnd(operand(1));
  case Opcode::Or:
    return operand(0).binaryOr(operand(1));
  case Opcode::Xor:
    return operand(0).binaryXor(operand(1));
  case Opcode::Shl:
  case Opcode::Shr:
    return shifted(op, isSigned(type), operand(0), operand(1));
  default:
    return ConstantRange::getFull(width);
  }
}

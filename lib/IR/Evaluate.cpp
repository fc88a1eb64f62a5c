//===- Evaluate.cpp - Scalar evaluation with C semantics ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <cassert>
#include <compare>

namespace colonnade::ir {

using llvm::APFloat;
using llvm::APInt;

namespace {
constexpr auto NearestEven = llvm::RoundingMode::NearestTiesToEven;

APInt toInt(Scalar s) { return APInt(bitWidth(s.type), s.bits); }
Scalar fromInt(ScalarType type, const APInt &value) { return {type, value.getZExtValue()}; }
Scalar fromBool(bool value) { return {ScalarType::Bool, value}; }

const llvm::fltSemantics &semantics(ScalarType type) {
  assert(isFloat(type) && "not a floating-point type");
  return type == ScalarType::F32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
}
APFloat toFloat(Scalar s) { return APFloat(semantics(s.type), toInt(s)); }
Scalar fromFloat(ScalarType type, const APFloat &value) {
  return fromInt(type, value.bitcastToAPInt());
}

Evaluation checked(ScalarType type, const APInt &value, bool overflow) {
  return {fromInt(type, value),
          overflow && isSigned(type) ? Undefined::SignedOverflow : Undefined::None};
}

Evaluation divide(Opcode opcode, ScalarType type, const APInt &a, const APInt &b) {
  bool wantQuotient = opcode == Opcode::Div;
  if (b.isZero())
    return {fromInt(type, wantQuotient ? a : b), Undefined::DivisionByZero};
  if (!isSigned(type))
    return {fromInt(type, wantQuotient ? a.udiv(b) : a.urem(b))};
  bool overflow = a.isMinSignedValue() && b.isAllOnes();
  return checked(type, wantQuotient ? a.sdiv(b) : a.srem(b), overflow);
}

// Left shifts of signed values wrap, as C++20 and every compiler have it.
Evaluation shift(Opcode opcode, ScalarType type, const APInt &a, Scalar count) {
  unsigned width = bitWidth(type);
  bool bad = count.bits >= width; // negative counts are large as bits
  unsigned n = count.bits & (width - 1);
  APInt value = opcode == Opcode::Shl ? a.shl(n) : isSigned(type) ? a.ashr(n) : a.lshr(n);
  return {fromInt(type, value), bad ? Undefined::ShiftCount : Undefined::None};
}

bool holds(Opcode comparison, std::partial_ordering ordering) {
  switch (comparison) {
  case Opcode::Eq:
    return ordering == 0;
  case Opcode::Ne:
    return ordering != 0;
  case Opcode::Lt:
    return ordering < 0;
  case Opcode::Le:
    return ordering <= 0;
  case Opcode::Gt:
    return ordering > 0;
  default:
    assert(comparison == Opcode::Ge && "not a comparison");
    return ordering >= 0;
  }
}

std::partial_ordering order(bool isSigned, const APInt &a, const APInt &b) {
  if (a == b)
    return std::partial_ordering::equivalent;
  return (isSigned ? a.slt(b) : a.ult(b)) ? std::partial_ordering::less
                                          : std::partial_ordering::greater;
}

std::partial_ordering order(const APFloat &a, const APFloat &b) {
  switch (a.compare(b)) {
  case APFloat::cmpLessThan:
    return std::partial_ordering::less;
  case APFloat::cmpEqual:
    return std::partial_ordering::equivalent;
  case APFloat::cmpGreaterThan:
    return std::partial_ordering::greater;
  case APFloat::cmpUnordered:
    break;
  }
  return std::partial_ordering::unordered; // one is a NaN
}

Evaluation evaluateInts(Opcode opcode, Scalar a, Scalar b) {
  ScalarType type = a.type;
  APInt x = toInt(a), y = toInt(b);
  bool overflow = false;
  switch (opcode) {
  case Opcode::Add: {
    APInt sum = isSigned(type) ? x.sadd_ov(y, overflow) : x + y;
    return checked(type, sum, overflow);
  }
  case Opcode::Sub: {
    APInt difference = isSigned(type) ? x.ssub_ov(y, overflow) : x - y;
    return checked(type, difference, overflow);
  }
  case Opcode::Mul: {
    APInt product = isSigned(type) ? x.smul_ov(y, overflow) : x * y;
    return checked(type, product, overflow);
  }
  case Opcode::Div:
  case Opcode::Rem:
    return divide(opcode, type, x, y);
  case Opcode::And:
    return {fromInt(type, x & y)};
  case Opcode::Or:
    return {fromInt(type, x | y)};
  case Opcode::Xor:
    return {fromInt(type, x ^ y)};
  default:
    return {fromBool(holds(opcode, order(isSigned(type), x, y)))};
  }
}

Evaluation evaluateFloats(Opcode opcode, Scalar a, Scalar b) {
  APFloat x = toFloat(a), y = toFloat(b);
  switch (opcode) {
  case Opcode::Add:
    x.add(y, NearestEven);
    break;
  case Opcode::Sub:
    x.subtract(y, NearestEven);
    break;
  case Opcode::Mul:
    x.multiply(y, NearestEven);
    break;
  case Opcode::Div: // by zero: an infinity or NaN, as IEC 60559 has it
    x.divide(y, NearestEven);
    break;
  default:
    return {fromBool(holds(opcode, order(x, y)))};
  }
  return {fromFloat(a.type, x)};
}

Evaluation floatToInt(Scalar a, ScalarType to) {
  llvm::APSInt value(bitWidth(to), !isSigned(to));
  bool exact;
  auto status = toFloat(a).convertToInteger(value, llvm::RoundingMode::TowardZero, &exact);
  if (status & APFloat::opInvalidOp)
    return {{to, 0}, Undefined::FloatToInteger};
  return {fromInt(to, value)};
}
} // namespace

const char *describe(Undefined undefined) {
  switch (undefined) {
  case Undefined::None:
    return "defined";
  case Undefined::SignedOverflow:
    return "signed integer overflow";
  case Undefined::DivisionByZero:
    return "integer division by zero";
  case Undefined::ShiftCount:
    return "shift count out of range";
  case Undefined::FloatToInteger:
    return "conversion of a float that the integer type cannot hold";
  case Undefined::Uninitialised:
    return "use of an uninitialised value";
  case Undefined::OutOfExtent:
    return "access outside the array's extent";
  }
  return "";
}

Evaluation evaluateUnary(Opcode opcode, Scalar a) {
  if (isFloat(a.type)) {
    assert(opcode == Opcode::Neg && "not defined on floats");
    return {fromFloat(a.type, -toFloat(a))};
  }
  APInt x = toInt(a);
  if (opcode == Opcode::Not)
    return {fromInt(a.type, ~x)};
  assert(opcode == Opcode::Neg && "not a unary operation");
  return checked(a.type, -x, x.isMinSignedValue());
}

Evaluation evaluateBinary(Opcode opcode, Scalar a, Scalar b) {
  if (opcode == Opcode::Shl || opcode == Opcode::Shr) {
    // Sign-extend the count, so that a negative one of any width is too large.
    Scalar count = {ScalarType::S64, static_cast<uint64_t>(asInt64(b))};
    return shift(opcode, a.type, toInt(a), count);
  }
  assert(a.type == b.type && "operands of different types");
  switch (opcode) {
  case Opcode::MulLowHalves:
    return {{a.type, (a.bits & UINT32_MAX) * (b.bits & UINT32_MAX)}};
  case Opcode::DivConstant:
    return evaluateInts(Opcode::Div, a, b);
  case Opcode::RemConstant:
    return evaluateInts(Opcode::Rem, a, b);
  default:
    break;
  }
  return isFloat(a.type) ? evaluateFloats(opcode, a, b) : evaluateInts(opcode, a, b);
}

Evaluation evaluateCast(Scalar a, ScalarType to) {
  if (to == ScalarType::Bool)
    return {fromBool(isFloat(a.type) ? !toFloat(a).isZero() : a.bits != 0)};
  if (isFloat(a.type) && isFloat(to)) {
    APFloat value = toFloat(a);
    bool losesInfo;
    value.convert(semantics(to), NearestEven, &losesInfo);
    return {fromFloat(to, value)};
  }
  if (isFloat(a.type))
    return floatToInt(a, to);
  if (isFloat(to)) {
    APFloat value(semantics(to));
    value.convertFromAPInt(toInt(a), isSigned(a.type), NearestEven);
    return {fromFloat(to, value)};
  }
  return {makeInt(to, asInt64(a))};
}

Scalar evaluateBitcast(Scalar a, ScalarType to) {
  assert(bitWidth(a.type) == bitWidth(to) && "bitcast between widths");
  return {to, a.bits};
}

Scalar makeFloat(ScalarType type, double value) {
  return evaluateCast({ScalarType::F64, llvm::bit_cast<uint64_t>(value)}, type).value;
}

bool isNaN(Scalar s) { return isFloat(s.type) && toFloat(s).isNaN(); }

bool isTrivialDivisor(Scalar divisor) {
  return divisor.bits <= 1 || (isSigned(divisor.type) && asInt64(divisor) == -1);
}

double asDouble(Scalar s) {
  return llvm::bit_cast<double>(evaluateCast(s, ScalarType::F64).value.bits);
}

std::optional<Scalar> fold(const Op &op, ScalarType result, llvm::ArrayRef<Scalar> operands) {
  auto defined = [](Evaluation e) {
    return e.undefined == Undefined::None ? std::optional(e.value) : std::nullopt;
  };
  switch (op.opcode) {
  case Opcode::Constant:
    return op.scalar;
  case Opcode::Neg:
  case Opcode::Not:
    return defined(evaluateUnary(op.opcode, operands[0]));
  case Opcode::Cast:
    return defined(evaluateCast(operands[0], result));
  case Opcode::Bitcast:
    return evaluateBitcast(operands[0], result);
  case Opcode::Select:
    return operands[0].bits ? operands[1] : operands[2];
  case Opcode::Math:
    if (!isExact(op.math))
      return std::nullopt;
    return defined(evaluateMath(op.math, operands));
  default:
    if (isBinary(op.opcode))
      return defined(evaluateBinary(op.opcode, operands[0], operands[1]));
    return std::nullopt;
  }
}

} // namespace colonnade::ir

//===- Evaluate.h - Scalar evaluation with C semantics -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one library that evaluates scalars, for folding, interpreter and tests.
//
// In: an operation and constant operands. Out: its value, or which undefined behaviour
// it has.
// Invariant: the value is what the C operation gives on the operand types: LLVM's
// APInt and APFloat, round to nearest even, no contraction.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_EVALUATE_H
#define COLONNADE_IR_EVALUATE_H

#include "IR/Function.h"

#include "llvm/ADT/StringRef.h"

namespace colonnade::ir {

enum class Undefined : uint8_t {
  None,
  SignedOverflow, // INT_MAX + 1
  DivisionByZero, // 1 / 0, and INT_MIN / -1 is SignedOverflow
  ShiftCount,     // 1 << 32
  FloatToInteger, // (int)1e30
  Uninitialised,  // int x; return x;
  OutOfExtent,    // a[n]
};
const char *describe(Undefined undefined); // "signed integer overflow"

struct Evaluation {
  /// Defined in every case, as generated code does for inactive lanes: overflow
  /// wraps, a zero divisor counts as 1, a shift count is taken modulo the width,
  /// a float that no integer holds becomes 0.
  Scalar value;
  Undefined undefined = Undefined::None;
};

bool isNaN(Scalar s);

/// Division by it is undefined, may overflow, or changes nothing: -1, 0, 1.
bool isTrivialDivisor(Scalar divisor);

Evaluation evaluateUnary(Opcode opcode, Scalar a);
Evaluation evaluateBinary(Opcode opcode, Scalar a, Scalar b); // arithmetic and comparisons
Evaluation evaluateCast(Scalar a, ScalarType to);
Scalar evaluateBitcast(Scalar a, ScalarType to);
/// Exact functions by APFloat or the host; others by the host's libm, float
/// functions through their float overloads.
Evaluation evaluateMath(MathFn fn, llvm::ArrayRef<Scalar> args);

/// Wraps to the type.
inline Scalar makeInt(ScalarType type, int64_t value) {
  const bool isBool = type == ScalarType::Bool;
  const uint64_t mask = ~uint64_t(0) >> (64 - bitWidth(type));
  return {type, isBool ? uint64_t(value != 0) : static_cast<uint64_t>(value) & mask};
}
Scalar makeFloat(ScalarType type, double value);
/// Sign- or zero-extended by its type.
inline int64_t asInt64(Scalar s) {
  const unsigned unused = 64 - bitWidth(s.type);
  return isSigned(s.type) ? static_cast<int64_t>(s.bits << unused) >> unused
                          : static_cast<int64_t>(s.bits);
}
double asDouble(Scalar s);
/// As the textual IR prints it: "42", "true", "3.0", "1e-07", "-inf", "nan";
/// floats in the shortest decimal form that reads back to the same bits, NaNs
/// other than the default one with their bits: "nan:0x7fc00001".
std::string str(Scalar s);
/// The inverse of str(): nullopt if `text` is no value of the type.
std::optional<Scalar> parseScalar(ScalarType type, llvm::StringRef text);
/// The number as an integer or boolean of the type; nullopt if that cannot hold it.
std::optional<Scalar> exactInt(ScalarType type, int64_t value);

/// The value of a pure operation on constants; nullopt if it is undefined, not
/// pure, or a math function whose result depends on the libm at hand.
std::optional<Scalar> fold(const Op &op, ScalarType result, llvm::ArrayRef<Scalar> operands);

} // namespace colonnade::ir

#endif // COLONNADE_IR_EVALUATE_H

//===- Operators.h - How operations are written as C operators --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an opcode. Out: its operator in C and C++, and how tightly that binds.
// Invariant: one table, for generated code and for messages.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_OPERATORS_H
#define COLONNADE_IR_OPERATORS_H

#include "IR/Opcodes.h"

namespace colonnade {

/// How tightly an expression binds, strongest first.
enum class Precedence : uint8_t {
  Primary,        // x, f(x), a[i], 42
  Unary,          // -x
  Multiplicative, // a * b
  Additive,       // a + b
  Shift,          // a << b
  Relational,     // a < b
  Equality,       // a == b
  BitAnd,         // a & b
  BitXor,         // a ^ b
  BitOr,          // a | b
  LogicalAnd,     // a && b
  LogicalOr,      // a || b
  Conditional,    // c ? a : b
};

namespace ir {

struct Operator {
  const char *text;
  Precedence precedence;
};

/// Null: it has none.
const Operator *binaryOperator(Opcode opcode);

} // namespace ir
} // namespace colonnade

#endif // COLONNADE_IR_OPERATORS_H

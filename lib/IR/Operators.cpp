//===- Operators.cpp - How operations are written as C operators ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Operators.h"

#include "llvm/ADT/STLExtras.h"

namespace colonnade::ir {

const Operator *binaryOperator(Opcode opcode) {
  static constexpr std::pair<Opcode, Operator> Operators[] = {
      {Opcode::Add, {"+", Precedence::Additive}},
      {Opcode::Sub, {"-", Precedence::Additive}},
      {Opcode::Mul, {"*", Precedence::Multiplicative}},
      {Opcode::Div, {"/", Precedence::Multiplicative}},
      {Opcode::Rem, {"%", Precedence::Multiplicative}},
      {Opcode::And, {"&", Precedence::BitAnd}},
      {Opcode::Or, {"|", Precedence::BitOr}},
      {Opcode::Xor, {"^", Precedence::BitXor}},
      {Opcode::Shl, {"<<", Precedence::Shift}},
      {Opcode::Shr, {">>", Precedence::Shift}},
      {Opcode::Eq, {"==", Precedence::Equality}},
      {Opcode::Ne, {"!=", Precedence::Equality}},
      {Opcode::Lt, {"<", Precedence::Relational}},
      {Opcode::Le, {"<=", Precedence::Relational}},
      {Opcode::Gt, {">", Precedence::Relational}},
      {Opcode::Ge, {">=", Precedence::Relational}}};
  auto found = llvm::find_if(Operators, [&](const auto &entry) { return entry.first == opcode; });
  return found == std::end(Operators) ? nullptr : &found->second;
}

} // namespace colonnade::ir

//===- Describe.cpp - Source-like text of values and accesses -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Findings/Describe.h"

#include "IR/Evaluate.h"

#include <algorithm>

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {
/// C's precedence of the printed operators; higher binds tighter.
struct Operator {
  const char *text;
  int precedence;
};
constexpr int primary = 10;
constexpr unsigned maxDepth = 4;
} // namespace

static std::optional<Operator> operatorOf(Opcode opcode) {
  switch (opcode) {
  case Opcode::Mul:
    return Operator{"*", 9};
  case Opcode::Div:
    return Operator{"/", 9};
  case Opcode::Rem:
    return Operator{"%", 9};
  case Opcode::Add:
    return Operator{" + ", 8};
  case Opcode::Sub:
    return Operator{" - ", 8};
  case Opcode::Shl:
    return Operator{" << ", 7};
  case Opcode::Shr:
    return Operator{" >> ", 7};
  case Opcode::Lt:
    return Operator{" < ", 6};
  case Opcode::Le:
    return Operator{" <= ", 6};
  case Opcode::Gt:
    return Operator{" > ", 6};
  case Opcode::Ge:
    return Operator{" >= ", 6};
  case Opcode::Eq:
    return Operator{" == ", 5};
  case Opcode::Ne:
    return Operator{" != ", 5};
  case Opcode::And:
    return Operator{" & ", 4};
  case Opcode::Xor:
    return Operator{" ^ ", 3};
  case Opcode::Or:
    return Operator{" | ", 2};
  default:
    return std::nullopt;
  }
}

llvm::StringRef nameOf(const ir::Function &function, ValueId value) {
  while (function.value(value).name.empty()) {
    const Op *def = function.definition(value);
    if (!def || def->opcode != Opcode::Cast)
      return {};
    value = def->operands[0];
  }
  return function.value(value).name;
}

static std::string accessText(const ir::Function &function, const Op &op, unsigned depth);

static std::string valueText(const ir::Function &function, ValueId id, int precedence,
                             unsigned depth) {
  if (llvm::StringRef name = nameOf(function, id); !name.empty() && name[0] != '%')
    return name.str();
  const Op *def = function.definition(id);
  if (!def || depth == 0)
    return "...";
  switch (def->opcode) {
  case Opcode::Constant:
    return ir::isFloat(def->scalar.type) ? ir::str(def->scalar)
                                         : std::to_string(ir::asInt64(def->scalar));
  case Opcode::Cast:
    return valueText(function, def->operands[0], precedence, depth);
  case Opcode::Load:
    return accessText(function, *def, depth - 1);
  case Opcode::Neg:
    return "-" + valueText(function, def->operands[0], primary, depth - 1);
  default:
    break;
  }
  std::optional<Operator> op = operatorOf(def->opcode);
  if (!op)
    return "...";
  std::string text = valueText(function, def->operands[0], op->precedence, depth - 1) + op->text +
                     valueText(function, def->operands[1], op->precedence + 1, depth - 1);
  return op->precedence < precedence ? "(" + text + ")" : text;
}

static std::string accessText(const ir::Function &function, const Op &op, unsigned depth) {
  const ir::Array &array = function.array(op.array);
  ir::AccessOperands access = ir::accessOperands(op);
  // One cell by its type, or a field: written without a subscript.
  bool field = array.name.find('.') != std::string::npos;
  bool oneCell = !array.extents.empty() && (field || !array.extentsDerived) &&
                 std::all_of(array.extents.begin(), array.extents.end(),
                             [](const SizeExpr &e) { return e.isConstant(1); });
  std::string text = array.name;
  for (ValueId subscript : access.subscripts) {
    const ir::Scalar *constant = function.constant(subscript);
    if (oneCell && constant && constant->bits == 0)
      continue;
    text += "[" + valueText(function, subscript, 0, depth) + "]";
  }
  return text;
}

std::string describe(const ir::Function &function, ValueId value) {
  return valueText(function, value, 0, maxDepth);
}

std::string describeAccess(const ir::Function &function, const Op &op) {
  return accessText(function, op, maxDepth);
}

} // namespace colonnade

//===- Describe.cpp - Source-like text of values and accesses -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Findings/Describe.h"

#include "IR/Evaluate.h"
#include "IR/Operators.h"

#include <algorithm>

namespace colonnade {

using ir::Op;
using ir::Opcode;

static constexpr unsigned MaxDepth = 4;

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

static std::string valueText(const ir::Function &function, ValueId id, Precedence limit,
                             unsigned depth) {
  if (llvm::StringRef name = nameOf(function, id); ir::isSourceName(name))
    return name.str();
  const Op *def = function.definition(id);
  if (!def || depth == 0)
    return "...";
  switch (def->opcode) {
  case Opcode::Constant:
    return ir::isFloat(def->scalar.type) ? ir::str(def->scalar)
                                         : std::to_string(ir::asInt64(def->scalar));
  case Opcode::Cast:
    return valueText(function, def->operands[0], limit, depth);
  case Opcode::Load:
    return accessText(function, *def, depth - 1);
  case Opcode::Neg:
    return "-" + valueText(function, def->operands[0], Precedence::Primary, depth - 1);
  default:
    break;
  }
  const ir::Operator *op = ir::binaryOperator(def->opcode);
  if (!op)
    return "...";
  const bool tight = op->precedence == Precedence::Multiplicative; // i*n + j
  const Precedence tighter = Precedence(unsigned(op->precedence) - 1);
  std::string text = valueText(function, def->operands[0], op->precedence, depth - 1);
  text += tight ? op->text : " " + std::string(op->text) + " ";
  text += valueText(function, def->operands[1], tighter, depth - 1);
  return op->precedence > limit ? "(" + text + ")" : text;
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
    text += "[" + valueText(function, subscript, Precedence::Conditional, depth) + "]";
  }
  return text;
}

std::string describe(const ir::Function &function, ValueId value) {
  return valueText(function, value, Precedence::Conditional, MaxDepth);
}

std::string describeAccess(const ir::Function &function, const Op &op) {
  return accessText(function, op, MaxDepth);
}

} // namespace colonnade

//===- PromotableVariables.cpp - Arrays that can be slots -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/PromotableVariables.h"

#include "IR/Evaluate.h"

namespace colonnade::canonical {

using ir::Opcode;

/// A raw value that is a constant expression.
static std::optional<ir::Scalar> rawConstant(const ir::Function &f, ValueId v, unsigned depth = 8) {
  const ir::Op *op = f.definition(v);
  if (!op || depth == 0)
    return std::nullopt;
  if (op->opcode == Opcode::Constant)
    return op->scalar;
  ir::Evaluation e;
  if (op->opcode == Opcode::Cast || op->opcode == Opcode::Neg) {
    auto a = rawConstant(f, op->operands[0], depth - 1);
    if (!a)
      return std::nullopt;
    e = op->opcode == Opcode::Cast ? ir::evaluateCast(*a, f.value(v).type)
                                   : ir::evaluateUnary(op->opcode, *a);
  } else if (op->opcode >= Opcode::Add && op->opcode <= Opcode::Shr) {
    auto a = rawConstant(f, op->operands[0], depth - 1);
    auto b = rawConstant(f, op->operands[1], depth - 1);
    if (!a || !b)
      return std::nullopt;
    e = ir::evaluateBinary(op->opcode, *a, *b);
  } else {
    return std::nullopt;
  }
  return e.undefined == ir::Undefined::None ? std::optional(e.value) : std::nullopt;
}

std::vector<bool> promotableVariables(const ir::Function &raw) {
  std::vector<bool> promotable(raw.ops.size(), true);
  std::vector<OpId> object(raw.values.size()); // by value: the variable it points into
  for (size_t i = 0; i < raw.ops.size(); ++i) {
    const ir::Op &op = raw.ops[i];
    if (op.opcode == Opcode::Object)
      object[op.results[0].index] = OpId(i);
    for (size_t k = 0; k < op.operands.size(); ++k) {
      OpId base = object[op.operands[k].index];
      if (!base)
        continue;
      bool derives = op.opcode == Opcode::PtrField || op.opcode == Opcode::PtrRecord ||
                     op.opcode == Opcode::PtrDecay ||
                     (op.opcode == Opcode::PtrIndex && rawConstant(raw, op.operands[1]));
      bool counted = (op.opcode == Opcode::PtrCopy || op.opcode == Opcode::PtrFill) &&
                     rawConstant(raw, op.operands[2]);
      bool direct = k == 0 && (op.opcode == Opcode::PtrLoad || op.opcode == Opcode::PtrStore);
      if (derives)
        object[op.results[0].index] = base;
      else if (!counted && !direct)
        promotable[base.index] = false;
    }
  }
  return promotable;
}

} // namespace colonnade::canonical

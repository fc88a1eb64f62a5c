//===- Sizes.cpp - Declared sizes as values, and back ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Sizes.h"

namespace colonnade::canonical {

using Kind = SizeExpr::Kind;

static ValueId combined(Folder &fold, Kind kind, ValueId a, ValueId b) {
  switch (kind) {
  case Kind::Add:
    return fold.binary(Opcode::Add, a, b);
  case Kind::Sub:
    return fold.binary(Opcode::Sub, a, b);
  case Kind::Mul:
    return fold.binary(Opcode::Mul, a, b);
  case Kind::Div:
    return fold.binary(Opcode::Div, a, b);
  case Kind::Rem:
    return fold.binary(Opcode::Rem, a, b);
  case Kind::Max:
    return fold.select(fold.binary(Opcode::Gt, a, b), a, b);
  default:
    return fold.select(fold.binary(Opcode::Lt, a, b), a, b);
  }
}

ValueId Sizes::value(const SizeExpr &size) {
  if (auto constant = size.asConstant())
    return fold_.index(*constant);
  if (size.kind() == Kind::Unknown)
    return {};
  if (size.kind() == Kind::Name) {
    const ir::Function &raw = *scope_->function;
    for (size_t i = 0; i < raw.rawParams.size(); ++i) {
      AbstractValue v = scope_->values[raw.region(raw.body).args[i].index];
      if (raw.rawParams[i].name == size.name() && v.scalar && ir::isInteger(fold_.typeOf(v.scalar)))
        return fold_.cast(v.scalar, ScalarType::S64);
    }
    return {};
  }
  ValueId a = value(size.lhs()), b = value(size.rhs());
  return a && b ? combined(fold_, size.kind(), a, b) : ValueId();
}

SizeExpr Sizes::sizeOf(ValueId v) const {
  if (auto constant = fold_.intConstant(v))
    return SizeExpr::constant(*constant);
  auto named = names_.find(v.index);
  if (named != names_.end())
    return named->second;
  const ir::Op *op = fold_.out().definition(v);
  if (!op || op->operands.empty())
    return {};
  auto both = [&](Kind kind) {
    SizeExpr a = sizeOf(op->operands[0]), b = sizeOf(op->operands[1]);
    return a.known() && b.known() ? SizeExpr::binary(kind, a, b) : SizeExpr();
  };
  switch (op->opcode) {
  case Opcode::Cast:
    return ir::isInteger(fold_.typeOf(op->operands[0])) &&
                   ir::bitWidth(fold_.typeOf(v)) >= ir::bitWidth(fold_.typeOf(op->operands[0]))
               ? sizeOf(op->operands[0])
               : SizeExpr();
  case Opcode::Add:
    return both(Kind::Add);
  case Opcode::Sub:
    return both(Kind::Sub);
  case Opcode::Mul:
    return both(Kind::Mul);
  default:
    return {};
  }
}

SizeExpr Sizes::inEntryTerms(const SizeExpr &size) {
  if (size.asConstant())
    return size;
  ValueId v = size.known() ? value(size) : ValueId();
  return v ? sizeOf(v) : SizeExpr();
}

} // namespace colonnade::canonical

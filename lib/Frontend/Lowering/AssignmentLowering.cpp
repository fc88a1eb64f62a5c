//===- AssignmentLowering.cpp - =, += and ++ -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Order of accesses: the right side before the place on the left; a compound assignment
// reads that place last, just before it is written. Where the result is wanted as a place,
// `place` receives it.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Lowering/Wrappers.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::Opcode;
using ir::ScalarType;
using llvm::dyn_cast;

/// p + offset elements, or p - offset.
ValueId FunctionLowering::offsetPointer(ValueId pointer, ValueId offset, QualType pointee,
                                        bool negate) {
  offset = builder_.convert(offset, ScalarType::S64);
  if (negate)
    offset = builder_.unary(Opcode::Neg, offset);
  return stepped(pointer, offset, pointee);
}

/// The value one up or down from `old`.
ValueId FunctionLowering::stepValue(ValueId old, bool up, QualType type) {
  ScalarType scalar = builder_.typeOf(old);
  Opcode opcode = up ? Opcode::Add : Opcode::Sub;
  if (scalar == ScalarType::Pointer)
    return offsetPointer(old, builder_.index64(up ? 1 : -1), type->getPointeeType(), false);
  if (scalar == ScalarType::Bool) // C only: ++ sets, -- flips
    return up ? builder_.constantBool(true) : builder_.unary(Opcode::Not, old);
  if (isFloat(scalar)) {
    ValueId one = builder_.constant(
        {scalar, scalar == ScalarType::F32 ? uint64_t(0x3f800000) : uint64_t(0x3ff0000000000000)});
    return builder_.binary(opcode, old, one);
  }
  // Narrow integers are promoted, so that they wrap without overflow.
  ScalarType wide = bitWidth(scalar) < 32 ? ScalarType::S32 : scalar;
  ValueId promoted = builder_.cast(old, wide);
  ValueId sum = builder_.binary(opcode, promoted, builder_.constantInt(wide, 1));
  return builder_.cast(sum, scalar);
}

ValueId FunctionLowering::lowerIncrement(const clang::UnaryOperator &expr, LValue *place) {
  SourceNodeScope scope = standsFor(expr);
  LValue target = lowerLValue(*expr.getSubExpr());
  ValueId old = loadFrom(target, expr.getExprLoc(), valueNameOf(*expr.getSubExpr()));
  at(expr.getOperatorLoc());
  ValueId next = stepValue(old, expr.isIncrementOp(), target.type);
  next = storeTo(target, next, expr.getOperatorLoc());
  if (place)
    *place = target;
  return expr.isPostfix() ? old : next;
}

ValueId FunctionLowering::lowerAssignment(const clang::BinaryOperator &expr, LValue *place) {
  SourceNodeScope scope = standsFor(expr);
  if (isAggregate(expr.getType())) { // C struct assignment
    LValue target = lowerLValue(*expr.getLHS());
    const Expr *value = &unwrapped(*expr.getRHS());
    const auto *read = dyn_cast<clang::ImplicitCastExpr>(value);
    if (read && read->getCastKind() == clang::CK_LValueToRValue) {
      copyObject(target, lowerLValue(*read->getSubExpr()).pointer);
    } else {
      LValue temporary = lowerTemporary(*value);
      copyObject(target, temporary.pointer);
    }
    if (place)
      *place = target;
    return {};
  }
  ValueId value = lowerScalar(*expr.getRHS());
  LValue target = lowerLValue(*expr.getLHS());
  value = storeTo(target, value, expr.getOperatorLoc());
  if (place)
    *place = target;
  return value;
}

ValueId FunctionLowering::lowerCompoundAssignment(const clang::CompoundAssignOperator &expr,
                                                  LValue *place) {
  SourceNodeScope scope = standsFor(expr);
  ValueId rhs = lowerScalar(*expr.getRHS());
  LValue target = lowerLValue(*expr.getLHS());
  ValueId old = loadFrom(target, expr.getExprLoc(), valueNameOf(*expr.getLHS()));
  at(expr.getOperatorLoc());
  auto opcode = clang::BinaryOperator::getOpForCompoundAssignment(expr.getOpcode());
  ValueId next;
  if (target.type->isPointerType()) {
    next = offsetPointer(old, rhs, target.type->getPointeeType(), opcode == clang::BO_Sub);
  } else if (auto wide = scalarType(expr.getComputationLHSType())) {
    next = lowerArithmetic(opcode, builder_.convert(old, *wide), rhs);
    next = builder_.convert(next, *scalarType(target.type));
  } else {
    next = unsupported(expr.getOperatorLoc(), unsupportedReason(expr.getComputationLHSType()),
                       target.type);
  }
  next = storeTo(target, next, expr.getOperatorLoc());
  if (place)
    *place = target;
  return next;
}

} // namespace colonnade::frontend

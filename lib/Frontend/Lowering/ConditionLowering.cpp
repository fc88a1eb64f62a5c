//===- ConditionLowering.cpp - Conditions, && and ||, c ? a : b ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an expression whose truth is wanted, or that evaluates only one of its operands.
// Out: a Bool; an `if` whose arms evaluate one operand each and store what they give.
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

ValueId FunctionLowering::lowerCondition(const Expr &expr) {
  SourceNodeScope scope = standsFor(expr);
  const Expr *bare = &unwrapped(expr);
  if (const auto *implicit = dyn_cast<clang::ImplicitCastExpr>(bare);
      implicit && (implicit->getCastKind() == clang::CK_IntegralToBoolean ||
                   implicit->getCastKind() == clang::CK_IntegralCast)) {
    // In C, comparisons are int; do not widen them to compare with zero.
    const Expr *inner = &unwrapped(*implicit->getSubExpr());
    const auto *binary = dyn_cast<clang::BinaryOperator>(inner);
    if (binary && (binary->isComparisonOp() || binary->isLogicalOp()))
      bare = inner;
  }
  if (const auto *binary = dyn_cast<clang::BinaryOperator>(bare)) {
    if (binary->isLogicalOp())
      return lowerLogical(*binary);
    if (binary->isComparisonOp() && binary->getOpcode() != clang::BO_Cmp &&
        scalarType(binary->getLHS()->getType()))
      return lowerComparison(*binary);
  }
  if (const auto *unary = dyn_cast<clang::UnaryOperator>(bare);
      unary && unary->getOpcode() == clang::UO_LNot) {
    ValueId inner = lowerCondition(*unary->getSubExpr());
    at(unary->getOperatorLoc());
    return builder_.unary(Opcode::Not, inner);
  }
  ValueId value = lowerScalar(*bare);
  at(expr.getExprLoc());
  return builder_.truth(value);
}

/// Bool result of && and ||: the right side only runs if it decides.
ValueId FunctionLowering::lowerLogical(const clang::BinaryOperator &expr) {
  SourceNodeScope scope = standsFor(expr);
  bool isAnd = expr.getOpcode() == clang::BO_LAnd;
  MemTypeId type = types_.scalar(ScalarType::Bool);
  at(expr.getOperatorLoc());
  ValueId slot = builder_.ownObject(type, isAnd ? "%and" : "%or");
  ValueId left = lowerCondition(*expr.getLHS());
  at(expr.getOperatorLoc());
  auto right = [&] {
    ValueId value = lowerCondition(*expr.getRHS());
    at(expr.getOperatorLoc());
    builder_.store(slot, value, type);
  };
  auto decided = [&] { builder_.store(slot, builder_.constantBool(!isAnd), type); };
  if (isAnd)
    builder_.emitIf(left, right, decided);
  else
    builder_.emitIf(left, decided, right);
  return builder_.load(slot, type, ScalarType::Bool);
}

ValueId FunctionLowering::lowerConditional(const clang::AbstractConditionalOperator &expr) {
  SourceNodeScope scope = standsFor(expr);
  QualType type = expr.getType();
  bool isVoid = type->isVoidType();
  const auto *binary = dyn_cast<clang::BinaryConditionalOperator>(&expr);
  if (binary && binary->getCommon()->isGLValue()) // C++: a place, which is read twice
    opaqueObjects_[binary->getOpaqueValue()] = lowerLValue(*binary->getCommon());
  else if (binary) // C: a value, which is read once
    opaqueValues_[binary->getOpaqueValue()] = lowerScalar(*binary->getCommon());
  at(expr.getQuestionLoc());
  ValueId slot = isVoid ? ValueId() : builder_.ownObject(memType(type), "%sel");
  ValueId condition = lowerCondition(*expr.getCond());
  auto arm = [&](const Expr &value) {
    if (isVoid)
      return lowerDiscarded(value);
    ValueId result = lowerScalar(value);
    at(expr.getQuestionLoc());
    if (llvm::isa<clang::CXXThrowExpr>(unwrapped(value)))
      return;
    builder_.store(slot, result, memType(type));
  };
  at(expr.getQuestionLoc());
  builder_.emitIf(condition, [&] { arm(*expr.getTrueExpr()); }, [&] { arm(*expr.getFalseExpr()); });
  at(expr.getQuestionLoc());
  return isVoid ? ValueId() : builder_.load(slot, memType(type), *scalarType(type));
}

/// c ? a : b as a place: the address is chosen.
LValue FunctionLowering::lowerConditionalLValue(const clang::AbstractConditionalOperator &expr) {
  SourceNodeScope scope = standsFor(expr);
  QualType pointer = context_.getPointerType(expr.getType());
  if (const auto *binary = dyn_cast<clang::BinaryConditionalOperator>(&expr))
    opaqueObjects_[binary->getOpaqueValue()] = lowerLValue(*binary->getCommon());
  ValueId slot = builder_.ownObject(memType(pointer), "%place");
  ValueId condition = lowerCondition(*expr.getCond());
  auto arm = [&](const Expr &value) {
    LValue place = lowerLValue(value);
    if (place.bitField)
      unsupported(value.getExprLoc(), "choice between bit-fields as places");
    at(expr.getQuestionLoc());
    builder_.store(slot, place.pointer, memType(pointer));
  };
  at(expr.getQuestionLoc());
  builder_.emitIf(condition, [&] { arm(*expr.getTrueExpr()); }, [&] { arm(*expr.getFalseExpr()); });
  return {builder_.load(slot, memType(pointer), ScalarType::Pointer), expr.getType()};
}

} // namespace colonnade::frontend

//===- LValueLowering.cpp - Addresses -------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an expression that names a place, or any other whose value needs one. Out: the
// address and the type there; a value is written into a temporary of its own.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Lowering/Wrappers.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using llvm::cast;
using llvm::dyn_cast;

/// C's `f().x` is no lvalue, but a part of a temporary all the same.
bool FunctionLowering::isPlace(const Expr &expr) {
  return expr.isGLValue() ||
         llvm::isa<clang::MemberExpr, clang::ArraySubscriptExpr>(unwrapped(expr));
}

LValue FunctionLowering::lowerTemporary(const Expr &value) {
  SourceNodeScope scope = standsFor(value);
  at(value.getExprLoc());
  LValue temporary = makeTemporary(value.getType(), "%tmp");
  initialize(value, temporary);
  return temporary;
}

/// What stands for a place that was evaluated before.
std::optional<LValue> FunctionLowering::knownPlace(const Expr &expr) const {
  auto it = opaqueObjects_.end();
  if (const auto *opaque = dyn_cast<clang::OpaqueValueExpr>(&expr))
    it = opaqueObjects_.find(opaque);
  return it == opaqueObjects_.end() ? std::nullopt : std::optional(it->second);
}

LValue FunctionLowering::lowerLValue(const Expr &expr) {
  SourceNodeScope scope = standsFor(expr);
  at(expr.getExprLoc());
  if (!isPlace(expr))
    return lowerTemporary(expr);
  if (std::optional<LValue> known = knownPlace(expr))
    return *known;
  if (const auto *constant = dyn_cast<clang::ConstantExpr>(&expr);
      constant && constant->isImmediateInvocation())
    return {refuseImmediate(*constant, context_.getPointerType(expr.getType())), expr.getType()};
  if (const Expr *inner = wrappedExpr(expr))
    return lowerLValue(*inner);
  switch (expr.getStmtClass()) {
  case Stmt::MaterializeTemporaryExprClass:
    return lowerTemporary(*cast<clang::MaterializeTemporaryExpr>(expr).getSubExpr());
  case Stmt::DeclRefExprClass:
    return lowerDeclRef(cast<clang::DeclRefExpr>(expr));
  case Stmt::MemberExprClass:
    return lowerMember(cast<clang::MemberExpr>(expr));
  case Stmt::ArraySubscriptExprClass:
    return lowerSubscript(cast<clang::ArraySubscriptExpr>(expr));
  case Stmt::StringLiteralClass:
    return lowerString(cast<clang::StringLiteral>(expr));
  case Stmt::PredefinedExprClass: // __func__
    refuseOfCompiler(expr);
    if (const auto *name = cast<clang::PredefinedExpr>(expr).getFunctionName())
      return lowerString(*name);
    return unknownPlace(expr);
  case Stmt::CompoundLiteralExprClass:
    return lowerCompoundLiteral(cast<clang::CompoundLiteralExpr>(expr));
  case Stmt::UnaryOperatorClass:
    return lowerUnaryLValue(cast<clang::UnaryOperator>(expr));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return lowerBinaryLValue(cast<clang::BinaryOperator>(expr));
  case Stmt::ConditionalOperatorClass:
    return lowerConditionalLValue(cast<clang::AbstractConditionalOperator>(expr));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass:
    return lowerCastLValue(cast<clang::CastExpr>(expr));
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass: {
    ValueId pointer = lowerCall(cast<clang::CallExpr>(expr));
    return {pointer ? pointer : builder_.null(), expr.getType()};
  }
  default:
    return unknownPlace(expr);
  }
}

LValue FunctionLowering::unknownPlace(const Expr &expr) {
  QualType pointer = expr.getType()->isFunctionType() ? context_.VoidPtrTy
                                                      : context_.getPointerType(expr.getType());
  return {unsupported(expr.getExprLoc(),
                      std::string("expression '") + expr.getStmtClassName() + "'", pointer),
          expr.getType()};
}

LValue FunctionLowering::lowerCompoundLiteral(const clang::CompoundLiteralExpr &expr) {
  LValue temporary = makeTemporary(expr.getType(), "%lit");
  initialize(*expr.getInitializer(), temporary);
  return temporary;
}

/// *p, ++x
LValue FunctionLowering::lowerUnaryLValue(const clang::UnaryOperator &expr) {
  if (expr.getOpcode() == clang::UO_Deref)
    return {lowerScalar(*expr.getSubExpr()), expr.getType()};
  if (!expr.isPrefix() || !expr.isIncrementDecrementOp())
    return unknownPlace(expr);
  LValue target;
  lowerIncrement(expr, &target);
  return target;
}

/// (a, b), a = b, a += b
LValue FunctionLowering::lowerBinaryLValue(const clang::BinaryOperator &expr) {
  LValue target;
  if (const auto *compound = dyn_cast<clang::CompoundAssignOperator>(&expr)) {
    lowerCompoundAssignment(*compound, &target);
    return target;
  }
  if (expr.getOpcode() == clang::BO_Comma) {
    lowerDiscarded(*expr.getLHS());
    return lowerLValue(*expr.getRHS());
  }
  if (expr.getOpcode() != clang::BO_Assign)
    return unknownPlace(expr);
  lowerAssignment(expr, &target);
  return target;
}

/// The same place under another type, or its base class.
LValue FunctionLowering::lowerCastLValue(const clang::CastExpr &expr) {
  if (const auto *written = dyn_cast<clang::ExplicitCastExpr>(&expr))
    evaluateVariableExtents(written->getTypeAsWritten());
  LValue operand = lowerLValue(*expr.getSubExpr());
  at(expr.getExprLoc());
  if (expr.isXValue() && expr.getSubExpr()->refersToBitField())
    return {unsupported(expr.getExprLoc(), "reference to a bit-field, which is a copy of it",
                        context_.getPointerType(expr.getType())),
            expr.getType()};
  switch (expr.getCastKind()) {
  case clang::CK_NoOp:
  case clang::CK_LValueBitCast:
  case clang::CK_UserDefinedConversion:
  case clang::CK_ConstructorConversion:
    operand.type = expr.getType();
    return operand;
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase:
    return {lowerBaseCast(expr, operand.pointer, expr.getSubExpr()->getType()), expr.getType()};
  case clang::CK_BaseToDerived:
    return {lowerDerivedCast(expr, operand.pointer, expr.getType()), expr.getType()};
  default:
    return {unsupported(expr.getExprLoc(),
                        std::string("conversion '") + expr.getCastKindName() + "'",
                        context_.getPointerType(expr.getType())),
            expr.getType()};
  }
}

LValue FunctionLowering::lowerMember(const clang::MemberExpr &expr) {
  const clang::ValueDecl &member = *expr.getMemberDecl();
  if (const auto *variable = dyn_cast<clang::VarDecl>(&member)) { // static member
    lowerDiscarded(*expr.getBase());
    return lowerVariableLValue(*variable, expr.getExprLoc());
  }
  const auto *field = dyn_cast<clang::FieldDecl>(&member);
  if (!field)
    return {unsupported(expr.getExprLoc(), "member '" + member.getNameAsString() + "'",
                        context_.VoidPtrTy),
            expr.getType()};
  const Expr &base = *expr.getBase();
  ValueId record = expr.isArrow() ? lowerScalar(base) : lowerLValue(base).pointer;
  LValue result = fieldOf(record, *field, expr.getMemberLoc());
  if (expr.getType().isVolatileQualified())
    result.type = expr.getType();
  return result;
}

LValue FunctionLowering::lowerSubscript(const clang::ArraySubscriptExpr &expr) {
  const Expr &base = *expr.getBase();
  if (!base.getType()->isPointerType())
    return {unsupported(expr.getExprLoc(), "subscript of a vector", context_.VoidPtrTy),
            expr.getType()};
  ValueId pointer, index;
  if (expr.getLHS() == expr.getIdx()) { // i[a]
    index = lowerIndex(*expr.getIdx());
    pointer = lowerScalar(base);
  } else {
    pointer = lowerScalar(base);
    index = lowerIndex(*expr.getIdx());
  }
  at(expr.getExprLoc());
  return cellOf({pointer, expr.getType()}, index);
}

} // namespace colonnade::frontend

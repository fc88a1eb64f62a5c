//===- ExprLowering.cpp - Scalar values: dispatch, literals, conditionals -===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using ir::Opcode;
using ir::Scalar;
using ir::ScalarType;
using llvm::cast;
using llvm::dyn_cast;

void FunctionLowering::unsupported(clang::SourceLocation loc, std::string what) {
  at(loc);
  builder_.unsupported(std::move(what), std::nullopt);
}

ValueId FunctionLowering::unsupported(clang::SourceLocation loc, std::string what, QualType type) {
  at(loc);
  std::optional<ScalarType> result = scalarType(type);
  OpId op = builder_.unsupported(std::move(what), result);
  return result ? builder_.result(op) : ValueId();
}

ValueId FunctionLowering::convert(ValueId value, ScalarType to) {
  if (to == ScalarType::Bool)
    return builder_.truth(value);
  return builder_.cast(value, to);
}

ValueId FunctionLowering::lowerIndex(const Expr &expr) {
  ValueId value = lowerScalar(expr);
  at(expr.getExprLoc());
  return convert(value, ScalarType::S64);
}

std::optional<ValueId> FunctionLowering::lowerKnownConstant(const clang::APValue &value,
                                                            QualType type) {
  std::optional<ScalarType> scalar = scalarType(type);
  if (!scalar)
    return std::nullopt;
  if (value.isInt() && *scalar != ScalarType::Pointer) {
    llvm::APSInt bits = value.getInt();
    return builder_.constant({*scalar, bits.zextOrTrunc(64).getZExtValue()});
  }
  if (value.isFloat() && (*scalar == ScalarType::F32 || *scalar == ScalarType::F64))
    return builder_.constant({*scalar, value.getFloat().bitcastToAPInt().getZExtValue()});
  if (value.isNullPointer())
    return builder_.null();
  return std::nullopt;
}

/// An expression the language itself evaluates: sizeof, traits, enumerators.
ValueId FunctionLowering::lowerConstant(const Expr &expr) {
  Expr::EvalResult result;
  if (!expr.isValueDependent() && expr.EvaluateAsRValue(result, context_) && !result.HasSideEffects)
    if (std::optional<ValueId> value = lowerKnownConstant(result.Val, expr.getType()))
      return *value;
  return unsupported(expr.getExprLoc(), std::string("expression '") + expr.getStmtClassName() + "'",
                     expr.getType());
}

/// The value of a scalar expression; a glvalue is read.
ValueId FunctionLowering::lowerScalar(const Expr &expr) {
  if (!expr.getType()->isVoidType() && !scalarType(expr.getType())) {
    std::string reason = unsupportedReason(expr.getType());
    unsupported(expr.getExprLoc(), reason.empty() ? "value of struct type here" : reason);
    return builder_.undef(ScalarType::S32);
  }
  at(expr.getExprLoc());
  ValueId value = lowerScalarUnchecked(expr);
  if (!value && !expr.getType()->isVoidType())
    value = builder_.undef(*scalarType(expr.getType()));
  return value;
}

ValueId FunctionLowering::lowerScalarUnchecked(const Expr &expr) {
  switch (expr.getStmtClass()) {
  case Stmt::ParenExprClass:
    return lowerScalar(*cast<clang::ParenExpr>(expr).getSubExpr());
  case Stmt::ExprWithCleanupsClass:
    return lowerScalar(*cast<clang::FullExpr>(expr).getSubExpr());
  case Stmt::ConstantExprClass: {
    const auto &constant = cast<clang::ConstantExpr>(expr);
    if (constant.hasAPValueResult())
      if (auto value = lowerKnownConstant(constant.getAPValueResult(), expr.getType()))
        return *value;
    return lowerScalar(*constant.getSubExpr());
  }
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return lowerScalar(*cast<clang::SubstNonTypeTemplateParmExpr>(expr).getReplacement());
  case Stmt::GenericSelectionExprClass:
    return lowerScalar(*cast<clang::GenericSelectionExpr>(expr).getResultExpr());
  case Stmt::ChooseExprClass:
    return lowerScalar(*cast<clang::ChooseExpr>(expr).getChosenSubExpr());
  case Stmt::CXXBindTemporaryExprClass:
    return lowerScalar(*cast<clang::CXXBindTemporaryExpr>(expr).getSubExpr());
  case Stmt::CXXDefaultArgExprClass:
    return lowerScalar(*cast<clang::CXXDefaultArgExpr>(expr).getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return lowerScalar(*cast<clang::CXXDefaultInitExpr>(expr).getExpr());
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return lowerScalar(*cast<clang::CXXRewrittenBinaryOperator>(expr).getSemanticForm());
  case Stmt::MaterializeTemporaryExprClass:
    return lowerScalar(*cast<clang::MaterializeTemporaryExpr>(expr).getSubExpr());
  case Stmt::OpaqueValueExprClass: {
    const auto &opaque = cast<clang::OpaqueValueExpr>(expr);
    if (auto it = opaqueValues_.find(&opaque); it != opaqueValues_.end())
      return it->second;
    if (opaqueObjects_.count(&opaque))
      return loadFrom(lowerLValue(expr), expr.getExprLoc());
    return opaque.getSourceExpr() ? lowerScalar(*opaque.getSourceExpr()) : lowerConstant(expr);
  }
  case Stmt::IntegerLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::OffsetOfExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::RequiresExprClass:
  case Stmt::ConceptSpecializationExprClass:
  case Stmt::SourceLocExprClass:
    return lowerConstant(expr);
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
    return builder_.null();
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass: {
    ScalarType type = *scalarType(expr.getType());
    return type == ScalarType::Pointer ? builder_.null() : builder_.zero(type);
  }
  case Stmt::InitListExprClass: {
    const auto &list = cast<clang::InitListExpr>(expr);
    ScalarType type = *scalarType(expr.getType());
    if (list.getNumInits() == 1)
      return lowerScalar(*list.getInit(0));
    return type == ScalarType::Pointer ? builder_.null() : builder_.zero(type);
  }
  case Stmt::CXXThisExprClass:
    if (captures_.empty() && this_ && !thisType_->getAsCXXRecordDecl()->isLambda())
      return this_;
    if (this_ && capturedThis_) {
      LValue self = fieldOf(this_, *capturedThis_, expr.getExprLoc());
      return self.type->isPointerType() ? loadFrom(self, expr.getExprLoc()) : self.pointer;
    }
    return unsupported(expr.getExprLoc(), "'this' outside a method", expr.getType());
  case Stmt::DeclRefExprClass:
    return lowerVariable(cast<clang::DeclRefExpr>(expr));
  case Stmt::UnaryOperatorClass:
    return lowerUnary(cast<clang::UnaryOperator>(expr));
  case Stmt::BinaryOperatorClass:
    return lowerBinary(cast<clang::BinaryOperator>(expr));
  case Stmt::CompoundAssignOperatorClass:
    return lowerCompoundAssignment(cast<clang::CompoundAssignOperator>(expr), nullptr);
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
    return lowerConditional(cast<clang::AbstractConditionalOperator>(expr));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass:
  case Stmt::BuiltinBitCastExprClass:
    return lowerCast(cast<clang::CastExpr>(expr));
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass: {
    const auto &call = cast<clang::CallExpr>(expr);
    if (expr.isGLValue())
      if (std::optional<ValueId> extreme = lowerExtreme(expr))
        return *extreme;
    ValueId value = lowerCall(call);
    return expr.isGLValue() ? loadFrom({value, expr.getType()}, expr.getExprLoc()) : value;
  }
  case Stmt::StmtExprClass:
    return lowerStmtExpr(cast<clang::StmtExpr>(expr));
  case Stmt::ArrayInitIndexExprClass:
    if (arrayInitIndex_)
      return convert(*arrayInitIndex_, *scalarType(expr.getType()));
    break;
  case Stmt::MemberExprClass:
    if (const auto *enumerator =
            dyn_cast<clang::EnumConstantDecl>(cast<clang::MemberExpr>(expr).getMemberDecl()))
      return *lowerKnownConstant(clang::APValue(enumerator->getInitVal()), expr.getType());
    [[fallthrough]];
  case Stmt::ArraySubscriptExprClass:
  case Stmt::CompoundLiteralExprClass:
    return loadFrom(lowerLValue(expr), expr.getExprLoc(), valueNameOf(expr));
  case Stmt::CXXNewExprClass:
    return unsupported(expr.getExprLoc(), "new expression", expr.getType());
  case Stmt::CXXDeleteExprClass:
    return unsupported(expr.getExprLoc(), "delete expression", expr.getType());
  case Stmt::CXXThrowExprClass:
    return unsupported(expr.getExprLoc(), "throw expression", expr.getType());
  case Stmt::AtomicExprClass:
    return unsupported(expr.getExprLoc(), "atomic operation", expr.getType());
  case Stmt::VAArgExprClass:
    return unsupported(expr.getExprLoc(), "variable arguments", expr.getType());
  default:
    break;
  }
  if (expr.isGLValue())
    return loadFrom(lowerLValue(expr), expr.getExprLoc());
  return unsupported(expr.getExprLoc(), std::string("expression '") + expr.getStmtClassName() + "'",
                     expr.getType());
}

std::string FunctionLowering::valueNameOf(const Expr &expr) const {
  const Expr *bare = expr.IgnoreParenImpCasts();
  if (const auto *ref = dyn_cast<clang::DeclRefExpr>(bare))
    return ref->getDecl()->getDeclName().isIdentifier() ? ref->getDecl()->getName().str() : "";
  if (const auto *member = dyn_cast<clang::MemberExpr>(bare))
    return member->getMemberDecl()->getDeclName().isIdentifier()
               ? member->getMemberDecl()->getName().str()
               : "";
  return "";
}

/// Constants are folded here: enumerators and const variables.
ValueId FunctionLowering::lowerVariable(const clang::DeclRefExpr &expr) {
  if (const auto *enumerator = dyn_cast<clang::EnumConstantDecl>(expr.getDecl()))
    return *lowerKnownConstant(clang::APValue(enumerator->getInitVal()), expr.getType());
  if (const auto *variable = dyn_cast<clang::VarDecl>(expr.getDecl()))
    if (const clang::APValue *value = constantValue(*variable))
      if (std::optional<ValueId> constant = lowerKnownConstant(*value, expr.getType()))
        return *constant;
  return loadFrom(lowerLValue(expr), expr.getExprLoc(), valueNameOf(expr));
}

ValueId FunctionLowering::lowerCondition(const Expr &expr) {
  const Expr *bare = expr.IgnoreParens();
  if (const auto *implicit = dyn_cast<clang::ImplicitCastExpr>(bare);
      implicit && (implicit->getCastKind() == clang::CK_IntegralToBoolean ||
                   implicit->getCastKind() == clang::CK_IntegralCast)) {
    // In C, comparisons are int; do not widen them to compare with zero.
    const Expr *inner = implicit->getSubExpr()->IgnoreParens();
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
  bool isAnd = expr.getOpcode() == clang::BO_LAnd;
  MemTypeId type = types_.scalar(ScalarType::Bool);
  at(expr.getOperatorLoc());
  ValueId slot = builder_.object(type, isAnd ? "%and" : "%or");
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
  QualType type = expr.getType();
  bool isVoid = type->isVoidType();
  const auto *binary = dyn_cast<clang::BinaryConditionalOperator>(&expr);
  if (binary) // a ?: b reads a once
    opaqueValues_[binary->getOpaqueValue()] = lowerScalar(*binary->getCommon());
  at(expr.getQuestionLoc());
  ValueId slot = isVoid ? ValueId() : builder_.object(memType(type), "%sel");
  ValueId condition = lowerCondition(*expr.getCond());
  auto arm = [&](const Expr &value) {
    if (isVoid)
      return lowerDiscarded(value);
    ValueId result = lowerScalar(value);
    at(expr.getQuestionLoc());
    if (llvm::isa<clang::CXXThrowExpr>(value.IgnoreParens()))
      return;
    builder_.store(slot, result, memType(type));
  };
  at(expr.getQuestionLoc());
  builder_.emitIf(condition, [&] { arm(*expr.getTrueExpr()); }, [&] { arm(*expr.getFalseExpr()); });
  at(expr.getQuestionLoc());
  return isVoid ? ValueId() : builder_.load(slot, memType(type), *scalarType(type));
}

/// ({ …; value; })
ValueId FunctionLowering::lowerStmtExpr(const clang::StmtExpr &expr) {
  const clang::CompoundStmt &block = *expr.getSubStmt();
  if (exits_.of(&block).any())
    return unsupported(expr.getExprLoc(), "jump out of a statement expression", expr.getType());
  std::vector<const Stmt *> stmts(block.body_begin(), block.body_end());
  const Expr *last =
      stmts.empty() || expr.getType()->isVoidType() ? nullptr : dyn_cast<Expr>(stmts.back());
  if (last)
    stmts.pop_back();
  lowerBlock(stmts);
  return last ? lowerScalar(*last) : ValueId();
}

} // namespace colonnade::frontend

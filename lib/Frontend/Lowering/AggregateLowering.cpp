//===- AggregateLowering.cpp - Values of struct and array type ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structs and arrays live in memory: an expression of such a type is written into
// a place given by its user. `initialize` also takes scalars, so that members and
// elements are treated alike.
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

/// Any initialiser into a fresh place.
void FunctionLowering::initialize(const Expr &init, LValue target) {
  SourceNodeScope scope = standsFor(init);
  at(init.getExprLoc());
  if (target.type->isReferenceType()) {
    LValue referred = lowerLValue(init);
    builder_.store(target.pointer, referred.pointer, memType(target.type));
    return;
  }
  if (isAggregate(target.type))
    return lowerInto(init, target);
  if (std::string reason = unsupportedReason(target.type); !reason.empty())
    return unsupported(init.getExprLoc(), "initialiser of " + reason);
  if (const auto *list = dyn_cast<clang::InitListExpr>(&unwrapped(init));
      list && list->getNumInits() == 0)
    return zeroFill(target);
  target.type = target.type.getUnqualifiedType();
  storeTo(target, lowerScalar(init), init.getExprLoc());
}

void FunctionLowering::lowerInto(const Expr &expr, LValue target) {
  SourceNodeScope scope = standsFor(expr);
  at(expr.getExprLoc());
  if (const auto *text = dyn_cast<clang::StringLiteral>(&expr)) // char t[4] = "abc"
    return copyObject(target, lowerString(*text).pointer);
  if (const auto *constant = dyn_cast<clang::ConstantExpr>(&expr);
      constant && constant->isImmediateInvocation())
    return lowerImmediateInto(*constant, target);
  if (isPlace(expr))
    return copyObject(target, lowerLValue(expr).pointer);
  if (const Expr *inner = wrappedValue(expr))
    return lowerInto(*inner, target);
  switch (expr.getStmtClass()) {
  case Stmt::CXXBindTemporaryExprClass:
    unsupported(expr.getExprLoc(), "a temporary of " + destructorProblem(expr.getType()));
    return lowerInto(*cast<clang::CXXBindTemporaryExpr>(expr).getSubExpr(), target);
  case Stmt::CXXStdInitializerListExprClass:
    return unsupported(expr.getExprLoc(), "std::initializer_list (pass an array or a std::array)");
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
    return zeroFill(target);
  case Stmt::InitListExprClass:
    return lowerInitList(cast<clang::InitListExpr>(expr), target);
  case Stmt::CXXParenListInitExprClass:
    return lowerParenListInit(cast<clang::CXXParenListInitExpr>(expr), target);
  case Stmt::CompoundLiteralExprClass: // C++: a value; C's is a place
    return initialize(*cast<clang::CompoundLiteralExpr>(expr).getInitializer(), target);
  case Stmt::ArrayInitLoopExprClass:
    return lowerArrayInitLoop(cast<clang::ArrayInitLoopExpr>(expr), target);
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return lowerConstruct(cast<clang::CXXConstructExpr>(expr), target);
  case Stmt::CXXInheritedCtorInitExprClass:
    return lowerInheritedConstruct(cast<clang::CXXInheritedCtorInitExpr>(expr), target);
  case Stmt::LambdaExprClass:
    return lowerLambda(cast<clang::LambdaExpr>(expr), target);
  case Stmt::StmtExprClass:
    return lowerStmtExprInto(cast<clang::StmtExpr>(expr), target);
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    lowerCall(cast<clang::CallExpr>(expr), &target);
    return;
  case Stmt::ConditionalOperatorClass:
    return lowerConditionalInto(cast<clang::ConditionalOperator>(expr), target);
  case Stmt::BinaryOperatorClass:
    return lowerBinaryInto(cast<clang::BinaryOperator>(expr), target);
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXConstCastExprClass:
    return unsupported(expr.getExprLoc(), std::string("conversion '") +
                                              cast<clang::CastExpr>(expr).getCastKindName() + "'");
  default:
    return unsupported(expr.getExprLoc(),
                       std::string("expression '") + expr.getStmtClassName() + "'");
  }
}

/// ({ …; value; })
void FunctionLowering::lowerStmtExprInto(const clang::StmtExpr &expr, LValue target) {
  const clang::CompoundStmt &block = *expr.getSubStmt();
  if (nodeContext_ != 0)
    return unsupported(expr.getExprLoc(), "statement expression in a default value");
  std::vector<const Stmt *> stmts(block.body_begin(), block.body_end());
  const auto *last = stmts.empty() ? nullptr : dyn_cast<Expr>(stmts.back());
  if (!last || exits_.of(&block).any())
    return unsupported(expr.getExprLoc(), "statement expression of this form");
  stmts.pop_back();
  lowerBlock(stmts);
  lowerInto(*last, target);
}

/// c ? a : b: either arm writes the target.
void FunctionLowering::lowerConditionalInto(const clang::ConditionalOperator &expr, LValue target) {
  SourceNodeScope scope = standsFor(expr);
  ValueId condition = lowerCondition(*expr.getCond());
  at(expr.getQuestionLoc());
  builder_.emitIf(
      condition, [&] { lowerInto(*expr.getTrueExpr(), target); },
      [&] { lowerInto(*expr.getFalseExpr(), target); });
}

/// (a, b), and C's a = b as a value.
void FunctionLowering::lowerBinaryInto(const clang::BinaryOperator &expr, LValue target) {
  if (expr.getOpcode() == clang::BO_Comma) {
    lowerDiscarded(*expr.getLHS());
    return lowerInto(*expr.getRHS(), target);
  }
  if (expr.getOpcode() != clang::BO_Assign)
    return unsupported(expr.getOperatorLoc(),
                       expr.getOpcode() == clang::BO_Cmp
                           ? "operator '<=>' (compare with '<' and '==')"
                           : "operator '" + expr.getOpcodeStr().str() + "' of this type");
  LValue assigned;
  lowerAssignment(expr, &assigned);
  copyObject(target, assigned.pointer);
}

} // namespace colonnade::frontend

//===- Wrappers.cpp - Expressions that only wrap another ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/Wrappers.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::Stmt;
using llvm::cast;

const Expr *wrappedExpr(const Expr &expr) {
  switch (expr.getStmtClass()) {
  case Stmt::ParenExprClass:
    return cast<clang::ParenExpr>(expr).getSubExpr();
  case Stmt::UnaryOperatorClass: {
    const auto &unary = cast<clang::UnaryOperator>(expr);
    return unary.getOpcode() == clang::UO_Extension ? unary.getSubExpr() : nullptr;
  }
  case Stmt::ExprWithCleanupsClass:
  case Stmt::ConstantExprClass:
    return cast<clang::FullExpr>(expr).getSubExpr();
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return cast<clang::SubstNonTypeTemplateParmExpr>(expr).getReplacement();
  case Stmt::GenericSelectionExprClass:
    return cast<clang::GenericSelectionExpr>(expr).getResultExpr();
  case Stmt::ChooseExprClass:
    return cast<clang::ChooseExpr>(expr).getChosenSubExpr();
  case Stmt::CXXDefaultArgExprClass:
    return cast<clang::CXXDefaultArgExpr>(expr).getExpr();
  case Stmt::CXXRewrittenBinaryOperatorClass: // a < b by operator<=>
    return cast<clang::CXXRewrittenBinaryOperator>(expr).getSemanticForm();
  case Stmt::OpaqueValueExprClass:
    return cast<clang::OpaqueValueExpr>(expr).getSourceExpr();
  default:
    return nullptr;
  }
}

const Expr *wrappedValue(const Expr &expr) {
  if (const Expr *inner = wrappedExpr(expr))
    return inner;
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(&expr))
    return temporary->getSubExpr();
  const auto *conversion = llvm::dyn_cast<clang::CastExpr>(&expr);
  if (!conversion)
    return nullptr;
  switch (conversion->getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_UserDefinedConversion: // the operand is the call that converts
  case clang::CK_ConstructorConversion:
    return conversion->getSubExpr();
  default:
    return nullptr;
  }
}

const Expr &unwrapped(const Expr &expr) {
  const Expr *bare = &expr;
  while (!llvm::isa<clang::ConstantExpr, clang::OpaqueValueExpr>(bare))
    if (const Expr *inner = wrappedExpr(*bare))
      bare = inner;
    else
      break;
  return *bare;
}

/// The next node towards what a person wrote, or null.
static const Expr *addedByLanguage(const Expr &expr) {
  if (const Expr *inner = wrappedExpr(expr))
    return inner;
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(&expr))
    return temporary->getSubExpr();
  if (const auto *conversion = llvm::dyn_cast<clang::ImplicitCastExpr>(&expr))
    return conversion->getSubExpr();
  const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(&expr);
  return copy && copy->isElidable() && copy->getNumArgs() > 0 ? copy->getArg(0) : nullptr;
}

const Expr &spelled(const Expr &expr) {
  const Expr *bare = &expr;
  while (const Expr *inner = addedByLanguage(*bare))
    bare = inner;
  return *bare;
}

const Expr &withoutCasts(const Expr &expr) {
  const Expr *bare = &spelled(expr);
  while (const auto *conversion = llvm::dyn_cast<clang::CastExpr>(bare))
    bare = &spelled(*conversion->getSubExpr());
  return *bare;
}

bool dependsOnUse(const Expr &expr) {
  return llvm::isa<clang::SourceLocExpr>(expr) ||
         llvm::any_of(expr.children(), [](const Stmt *child) {
           const auto *part = llvm::dyn_cast_or_null<Expr>(child);
           return part && dependsOnUse(*part);
         });
}

bool isEmptyInit(const Expr &init) {
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(&init);
  if (!list)
    return llvm::isa<clang::ImplicitValueInitExpr>(init);
  const Expr *filler = list->getArrayFiller();
  return llvm::all_of(list->inits(), [](const Expr *part) { return isEmptyInit(*part); }) &&
         (!filler || isEmptyInit(*filler));
}

} // namespace colonnade::frontend

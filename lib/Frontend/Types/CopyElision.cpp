//===- CopyElision.cpp - Copies that compilers do not make ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/CopyElision.h"

namespace colonnade::frontend {

static bool maySkip(const clang::CXXConstructExpr &expr) {
  const clang::CXXConstructorDecl &constructor = *expr.getConstructor();
  return constructor.getLangOpts().ElideConstructors && constructor.isCopyOrMoveConstructor() &&
         !constructor.isTrivial() && expr.getNumArgs() == 1;
}

const clang::Expr *elidedTemporary(const clang::CXXConstructExpr &expr) {
  const clang::CXXConstructorDecl &constructor = *expr.getConstructor();
  if (!expr.isElidable() || !maySkip(expr))
    return nullptr;
  const clang::Expr &source = *expr.getArg(0);
  return source.isTemporaryObject(constructor.getASTContext(), constructor.getParent())
             ? source.IgnoreParenImpCasts()
             : nullptr;
}

/// Whether every `return` in `stmt` names the variable; those of lambdas are not the function's.
static bool alwaysReturns(const clang::Stmt &stmt, const clang::VarDecl &variable) {
  if (llvm::isa<clang::LambdaExpr>(stmt))
    return true;
  if (const auto *last = llvm::dyn_cast<clang::ReturnStmt>(&stmt))
    return last->getNRVOCandidate() == &variable;
  return llvm::all_of(stmt.children(), [&](const clang::Stmt *child) {
    return !child || alwaysReturns(*child, variable);
  });
}

const clang::CXXConstructExpr *elidedReturn(const clang::ReturnStmt &stmt,
                                            const clang::FunctionDecl &function) {
  const clang::VarDecl *variable = stmt.getNRVOCandidate();
  if (!variable || !variable->isNRVOVariable() || !stmt.getRetValue())
    return nullptr;
  const clang::Expr *value = stmt.getRetValue();
  if (const auto *whole = llvm::dyn_cast<clang::ExprWithCleanups>(value))
    value = whole->getSubExpr();
  const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(value);
  const bool isElided =
      copy && maySkip(*copy) && function.getBody() && alwaysReturns(*function.getBody(), *variable);
  return isElided ? copy : nullptr;
}

} // namespace colonnade::frontend

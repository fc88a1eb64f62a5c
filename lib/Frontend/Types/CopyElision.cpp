//===- CopyElision.cpp - Copies that compilers do not make ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/CopyElision.h"

#include "Frontend/Types/KeptPointers.h"

namespace colonnade::frontend {

using clang::CXXConstructExpr;
using clang::CXXConstructorDecl;
using clang::Expr;
using clang::QualType;
using clang::ReturnStmt;
using clang::VarDecl;
using llvm::dyn_cast;

const Expr *elidedTemporary(const CXXConstructExpr &expr) {
  const CXXConstructorDecl &constructor = *expr.getConstructor();
  const bool maySkip = constructor.getLangOpts().ElideConstructors &&
                       constructor.isCopyOrMoveConstructor() && !constructor.isTrivial() &&
                       expr.getNumArgs() == 1;
  if (!expr.isElidable() || !maySkip)
    return nullptr;
  const Expr &source = *expr.getArg(0);
  return source.isTemporaryObject(constructor.getASTContext(), constructor.getParent())
             ? source.IgnoreParenImpCasts()
             : nullptr;
}

/// All of `stmt`, but not those of lambdas in it.
static void collectReturns(const clang::Stmt *stmt, std::vector<const ReturnStmt *> &returns) {
  if (!stmt || llvm::isa<clang::LambdaExpr>(stmt))
    return;
  if (const auto *found = dyn_cast<ReturnStmt>(stmt))
    returns.push_back(found);
  for (const clang::Stmt *child : stmt->children())
    collectReturns(child, returns);
}

/// GCC leaves copies out of variables of the outermost block alone.
static bool isOfOutermostBlock(const VarDecl &variable, const clang::Stmt &body) {
  const auto *block = dyn_cast<clang::CompoundStmt>(&body);
  return block && llvm::any_of(block->body(), [&](const clang::Stmt *stmt) {
           const auto *decls = dyn_cast<clang::DeclStmt>(stmt);
           return decls && llvm::is_contained(decls->decls(), &variable);
         });
}

const VarDecl *resultVariable(const clang::FunctionDecl &function) {
  const clang::LangOptions &language = function.getLangOpts();
  if (!language.CPlusPlus || !language.ElideConstructors || !function.getBody() ||
      !function.getReturnType()->isRecordType())
    return nullptr;
  std::vector<const ReturnStmt *> returns;
  collectReturns(function.getBody(), returns);
  const VarDecl *variable = returns.empty() ? nullptr : returns.front()->getNRVOCandidate();
  if (!variable || !variable->isNRVOVariable() ||
      !isOfOutermostBlock(*variable, *function.getBody()))
    return nullptr;
  const bool isAlwaysNamed = llvm::all_of(
      returns, [&](const ReturnStmt *each) { return each->getNRVOCandidate() == variable; });
  return isAlwaysNamed ? variable : nullptr;
}

static const CXXConstructExpr *copyOf(const ReturnStmt &stmt) {
  const Expr *value = stmt.getRetValue();
  if (const auto *whole = llvm::dyn_cast_or_null<clang::ExprWithCleanups>(value))
    value = whole->getSubExpr();
  return llvm::dyn_cast_or_null<CXXConstructExpr>(value);
}

const CXXConstructExpr *elidedReturn(const ReturnStmt &stmt, const clang::FunctionDecl &function) {
  const VarDecl *variable = stmt.getNRVOCandidate();
  return variable && variable == resultVariable(function) ? copyOf(stmt) : nullptr;
}

/// `value` is the member of the constructor's parameter: `x(o.x)`, `x(std::move(o.x))` is not.
static bool isMemberOfOther(const Expr &value, const clang::FieldDecl &field,
                            const CXXConstructorDecl &constructor) {
  const Expr *bare = value.IgnoreParenImpCasts();
  const auto *copy = dyn_cast<CXXConstructExpr>(bare);
  if (copy && copy->getConstructor()->isTrivial() && copy->getNumArgs() == 1)
    bare = copy->getArg(0)->IgnoreParenImpCasts();
  const auto *member = dyn_cast<clang::MemberExpr>(bare);
  const auto *other =
      member ? dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts()) : nullptr;
  return other && member->getMemberDecl() == &field &&
         other->getDecl() == constructor.getParamDecl(0) &&
         value.getType().getCanonicalType().getUnqualifiedType() ==
             field.getType().getCanonicalType().getUnqualifiedType();
}

/// A copy constructor that only copies, whoever has written it.
static bool isPlain(const CXXConstructorDecl &constructor) {
  if (constructor.isTrivial())
    return true;
  const clang::FunctionDecl *definition = nullptr;
  if (!constructor.hasBody(definition) || constructor.isDelegatingConstructor())
    return false;
  const auto &defined = *llvm::cast<CXXConstructorDecl>(definition);
  const auto *body = dyn_cast<clang::CompoundStmt>(defined.getBody());
  if (!body || !body->body_empty() || defined.getNumParams() != 1)
    return false;
  for (const clang::CXXCtorInitializer *init : defined.inits())
    if (!init->isMemberInitializer() ||
        !isMemberOfOther(*init->getInit(), *init->getMember(), defined))
      return false;
  const auto fields = defined.getParent()->fields();
  return std::distance(fields.begin(), fields.end()) == defined.getNumCtorInitializers() &&
         defined.getParent()->getNumBases() == 0;
}

/// The object is passed in registers or its bytes are copied, or it is built where the caller wants
/// it: that depends on its size, the compiler and the level of optimisation.
static bool isCopiedByBytes(QualType type) {
  const clang::RecordDecl *record = type->getAsRecordDecl();
  return record && record->canPassInRegisters();
}

bool isUndecidedArgument(const Expr &argument, QualType parameter) {
  return isCopiedByBytes(parameter) && mayKnowAddress(argument);
}

bool isUndecidedCopy(const ReturnStmt &stmt, const clang::FunctionDecl &function) {
  const Expr *value = stmt.getRetValue();
  if (!value || !function.getLangOpts().CPlusPlus || !value->getType()->isRecordType() ||
      function.getReturnType()->isReferenceType())
    return false;
  const VarDecl *variable = stmt.getNRVOCandidate();
  if (isCopiedByBytes(value->getType()))
    return variable ? mayKeepPointer(function, *variable) : mayKeepPointer(function, *value);
  const CXXConstructExpr *copy = copyOf(stmt);
  if (!variable || !copy || !function.getLangOpts().ElideConstructors ||
      variable == resultVariable(function))
    return false;
  return !isPlain(*copy->getConstructor()) || mayKeepPointer(function, *variable);
}

bool isUndecidedBase(const Expr &init, const clang::FunctionDecl &function) {
  const Expr *bare = init.IgnoreParenImpCasts();
  if (const auto *whole = dyn_cast<clang::ExprWithCleanups>(bare))
    bare = whole->getSubExpr()->IgnoreParenImpCasts();
  const auto *copy = dyn_cast<CXXConstructExpr>(bare);
  if (!copy || !function.getLangOpts().ElideConstructors || copy->getNumArgs() == 0 ||
      !copy->getConstructor()->isCopyOrMoveConstructor())
    return false;
  const Expr *source = copy->getArg(0)->IgnoreParens();
  while (const auto *qualified = dyn_cast<clang::ImplicitCastExpr>(source))
    source = qualified->getSubExpr()->IgnoreParens();
  const auto *temporary = dyn_cast<clang::MaterializeTemporaryExpr>(source);
  if (!temporary)
    return false;
  return !isPlain(*copy->getConstructor()) || mayKeepPointer(function, *temporary->getSubExpr()) ||
         (!isCopiedByBytes(init.getType()) && isRoomFor(init.getType(), function));
}

} // namespace colonnade::frontend

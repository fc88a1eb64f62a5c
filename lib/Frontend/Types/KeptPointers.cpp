//===- KeptPointers.cpp - Pointers to a variable that are left -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/KeptPointers.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using clang::VarDecl;
using llvm::dyn_cast;

namespace {
/// Looks through a type's fields and bases.
class Rooms {
public:
  /// A pointer fits into an object of this type.
  bool has(QualType type) {
    type = type->getBaseElementTypeUnsafe()->getCanonicalTypeUnqualified();
    if (type->isAnyPointerType() || type->isReferenceType() || type->isVoidType() ||
        type->isMemberPointerType() || type->isBlockPointerType())
      return true;
    return anyPart(type, [this](QualType part) { return has(part); });
  }
  /// A pointer fits into something that an object of this type leads to.
  bool leadsTo(QualType type) {
    type = type->getBaseElementTypeUnsafe()->getCanonicalTypeUnqualified();
    if (type->isAnyPointerType() || type->isReferenceType())
      return has(type->getPointeeType());
    return anyPart(type, [this](QualType part) { return leadsTo(part); });
  }

private:
  static bool anyPart(QualType type, llvm::function_ref<bool(QualType)> holds) {
    const auto *record = type->getAsRecordDecl();
    if (!record)
      return false;
    if (!record->getDefinition())
      return true; // nobody knows
    if (const auto *cxx = dyn_cast<clang::CXXRecordDecl>(record->getDefinition()))
      for (const clang::CXXBaseSpecifier &base : cxx->bases())
        if (holds(base.getType()))
          return true;
    return llvm::any_of(record->getDefinition()->fields(),
                        [&](const clang::FieldDecl *field) { return holds(field->getType()); });
  }
};

/// Whether a statement does more with a variable than read, write and copy its members.
class Uses {
public:
  explicit Uses(const VarDecl &variable) : variable_(variable) {}

  bool takeAddress(const Stmt *stmt) const {
    if (!stmt)
      return false;
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(stmt))
      return name->getDecl() == &variable_;
    if (const auto *last = dyn_cast<clang::ReturnStmt>(stmt); last && isOwn(last))
      return false;
    if (const auto *decls = dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *decl : decls->decls())
        if (decl == &variable_ && !isPlainInit(variable_.getInit()))
          return true;
    if (const auto *read = dyn_cast<clang::ImplicitCastExpr>(stmt))
      if (read->getCastKind() == clang::CK_LValueToRValue && isMember(*read->getSubExpr()))
        return false;
    if (const auto *write = dyn_cast<clang::BinaryOperator>(stmt))
      if (write->isAssignmentOp() && isMember(*write->getLHS()))
        return takeAddress(write->getRHS());
    if (const auto *step = dyn_cast<clang::UnaryOperator>(stmt))
      if (step->isIncrementDecrementOp() && isMember(*step->getSubExpr()))
        return false;
    if (const auto *copy = dyn_cast<clang::CXXConstructExpr>(stmt))
      if (copy->getConstructor()->isTrivial() && copy->getNumArgs() == 1 &&
          isMember(*copy->getArg(0)))
        return false;
    return llvm::any_of(stmt->children(), [this](const Stmt *child) { return takeAddress(child); });
  }

private:
  bool isOwn(const clang::ReturnStmt *stmt) const { return stmt->getNRVOCandidate() == &variable_; }
  /// x, x.a or x.a.b, without a reference on the way.
  bool isMember(const Expr &place) const {
    const Expr *bare = place.IgnoreParenImpCasts();
    while (const auto *member = dyn_cast<clang::MemberExpr>(bare)) {
      if (member->isArrow() || !llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
        return false;
      bare = member->getBase()->IgnoreParenImpCasts();
    }
    const auto *name = dyn_cast<clang::DeclRefExpr>(bare);
    return name && name->getDecl() == &variable_;
  }
  /// No constructor that somebody has written, which would know the address.
  static bool isPlainInit(const Expr *init) {
    if (!init)
      return true;
    init = init->IgnoreParenImpCasts();
    if (const auto *whole = dyn_cast<clang::ExprWithCleanups>(init))
      init = whole->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *made = dyn_cast<clang::CXXConstructExpr>(init))
      return made->getConstructor()->isTrivial();
    const auto *list = dyn_cast<clang::InitListExpr>(init);
    return list && llvm::all_of(list->inits(), [](const Expr *part) {
             return !part->getType()->isRecordType() && !llvm::isa<clang::CXXDefaultInitExpr>(part);
           });
  }

  const VarDecl &variable_;
};
} // namespace

bool mayKeepPointer(const clang::FunctionDecl &function, const VarDecl &variable) {
  Rooms rooms;
  bool isRoom = rooms.has(variable.getType());
  for (const clang::ParmVarDecl *param : function.parameters())
    isRoom |= rooms.leadsTo(param->getType());
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && method->isImplicitObjectMemberFunction())
    isRoom |= rooms.has(method->getFunctionObjectParameterType());
  return isRoom && Uses(variable).takeAddress(function.getBody());
}

} // namespace colonnade::frontend

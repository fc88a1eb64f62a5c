//===- KeptPointers.cpp - Pointers to an object that are left --------------===//
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

/// Whether a statement does more with an object than read, write and copy its members. The object
/// is a variable, or `*this` of a constructor or method.
class Uses {
public:
  explicit Uses(const VarDecl &variable) : variable_(&variable) {}
  static Uses ofThis(unsigned depth = 0) { return Uses(depth); }

  bool takeAddress(const Stmt *stmt) const {
    if (!stmt)
      return false;
    if (const auto *expr = dyn_cast<Expr>(stmt); expr && isObject(*expr))
      return true;
    if (const auto *last = dyn_cast<clang::ReturnStmt>(stmt); last && isOwn(*last))
      return false;
    if (isOwnDeclaration(*stmt) && variable_->getInit() && mayKnowAddress(*variable_->getInit()))
      return true;
    if (const auto *field = dyn_cast<clang::CXXDefaultInitExpr>(stmt))
      return !variable_ && takeAddress(field->getExpr()); // its `this` is what is built
    if (const auto *read = dyn_cast<clang::ImplicitCastExpr>(stmt))
      if (read->getCastKind() == clang::CK_LValueToRValue)
        return takeAddressUnread(*read->getSubExpr());
    if (const auto *value = dyn_cast<Expr>(stmt); value && value->isPRValue())
      if (std::optional<const Expr *> written = writtenToMember(*value)) // in C, and x++
        return takeAddress(*written);
    if (const auto *comma = dyn_cast<clang::BinaryOperator>(stmt))
      if (comma->getOpcode() == clang::BO_Comma)
        return takeAddressUnread(*comma->getLHS()) || takeAddress(comma->getRHS());
    if (const auto *call = dyn_cast<clang::CXXMemberCallExpr>(stmt); call && isPlainCall(*call))
      return llvm::any_of(call->arguments(), [this](const Expr *arg) { return takeAddress(arg); });
    if (const auto *copy = dyn_cast<clang::CXXConstructExpr>(stmt))
      if (copy->getConstructor()->isTrivial() && copy->getNumArgs() == 1 &&
          isMember(*copy->getArg(0)))
        return false;
    const bool isStatement =
        llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt,
                  clang::DoStmt, clang::SwitchStmt, clang::SwitchCase, clang::LabelStmt,
                  clang::AttributedStmt>(stmt);
    return llvm::any_of(stmt->children(), [&](const Stmt *child) {
      const auto *value = llvm::dyn_cast_or_null<Expr>(child);
      return isStatement && value ? takeAddressUnread(*value) : takeAddress(child);
    });
  }

private:
  /// What is assigned to a member, null for ++ and --; nullopt: nothing is.
  std::optional<const Expr *> writtenToMember(const Expr &expr) const {
    if (const auto *step = dyn_cast<clang::UnaryOperator>(&expr))
      if (step->isIncrementDecrementOp() && isMember(*step->getSubExpr()))
        return nullptr;
    if (const auto *write = dyn_cast<clang::BinaryOperator>(&expr))
      if (write->isAssignmentOp() && isMember(*write->getLHS()))
        return write->getRHS();
    return std::nullopt;
  }

  /// Of an expression that is read or dropped: so nobody takes the place that it is in C++, as in
  /// &(x = 1).
  bool takeAddressUnread(const Expr &expr) const {
    const Expr &bare = *expr.IgnoreParens();
    if (isMember(bare))
      return false;
    if (std::optional<const Expr *> written = writtenToMember(bare))
      return takeAddress(*written);
    if (const auto *full = dyn_cast<clang::FullExpr>(&bare))
      return takeAddressUnread(*full->getSubExpr());
    if (const auto *cast = dyn_cast<clang::CastExpr>(&bare))
      if (cast->getCastKind() == clang::CK_ToVoid)
        return takeAddressUnread(*cast->getSubExpr());
    if (const auto *comma = dyn_cast<clang::BinaryOperator>(&bare))
      if (comma->getOpcode() == clang::BO_Comma)
        return takeAddressUnread(*comma->getLHS()) || takeAddressUnread(*comma->getRHS());
    return takeAddress(&bare);
  }

  explicit Uses(unsigned depth) : depth_(depth) {}

  /// x.f(…) where f, too, only reads, writes and copies members.
  bool isPlainCall(const clang::CXXMemberCallExpr &call) const {
    const clang::FunctionDecl *definition = nullptr;
    const clang::CXXMethodDecl *method = call.getMethodDecl();
    return method && !method->isVirtual() && method->hasBody(definition) && depth_ < MaxDepth &&
           isMember(*call.getImplicitObjectArgument()) &&
           !ofThis(depth_ + 1).takeAddress(definition->getBody());
  }

  bool isObject(const Expr &expr) const {
    if (!variable_)
      return llvm::isa<clang::CXXThisExpr>(expr);
    const auto *name = dyn_cast<clang::DeclRefExpr>(&expr);
    return name && name->getDecl() == variable_;
  }
  bool isOwn(const clang::ReturnStmt &stmt) const {
    return variable_ && stmt.getNRVOCandidate() == variable_;
  }
  bool isOwnDeclaration(const Stmt &stmt) const {
    const auto *decls = dyn_cast<clang::DeclStmt>(&stmt);
    return decls && variable_ && llvm::is_contained(decls->decls(), variable_);
  }
  /// x, x.a or x.a.b, this->a or this->a.b, without a pointer or reference on the way.
  bool isMember(const Expr &place) const {
    const Expr *bare = place.IgnoreParenImpCasts();
    while (const auto *member = dyn_cast<clang::MemberExpr>(bare)) {
      const auto *field = dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      const Expr *base = member->getBase()->IgnoreParenImpCasts();
      const bool isOfThis = !variable_ && isObject(*base);
      if (!field || field->getType()->isReferenceType() || (member->isArrow() && !isOfThis))
        return false;
      bare = base;
    }
    return isObject(*bare);
  }

  static constexpr unsigned MaxDepth = 3; // of methods that call methods

  const VarDecl *variable_ = nullptr; // null: *this
  unsigned depth_ = 0;
};

/// Whether a constructor, or one of a member or base that it calls, tells where the object is.
bool tellsAddress(const clang::CXXConstructorDecl &constructor) {
  if (constructor.isTrivial())
    return false;
  const clang::FunctionDecl *definition = nullptr;
  if (!constructor.hasBody(definition))
    return true;
  const Uses own = Uses::ofThis();
  const auto &defined = *llvm::cast<clang::CXXConstructorDecl>(definition);
  return own.takeAddress(defined.getBody()) ||
         llvm::any_of(defined.inits(), [&](const clang::CXXCtorInitializer *init) {
           const Expr &value = *init->getInit();
           return own.takeAddress(&value) ||
                  (value.getType()->getBaseElementTypeUnsafe()->isRecordType() &&
                   mayKnowAddress(value));
         });
}
} // namespace

bool isRoomFor(QualType result, const clang::FunctionDecl &function) {
  Rooms rooms;
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&function);
  return rooms.has(result) ||
         llvm::any_of(
             function.parameters(),
             [&](const clang::ParmVarDecl *param) { return rooms.leadsTo(param->getType()); }) ||
         (method && method->isImplicitObjectMemberFunction() &&
          rooms.has(method->getFunctionObjectParameterType()));
}

bool mayKnowAddress(const Expr &expr) {
  const Expr &made = *expr.IgnoreParenImpCasts();
  if (const auto *field = dyn_cast<clang::CXXDefaultInitExpr>(&made))
    return Uses::ofThis().takeAddress(field->getExpr()) || mayKnowAddress(*field->getExpr());
  if (!made.getType()->getBaseElementTypeUnsafe()->isRecordType())
    return false;
  if (const auto *full = dyn_cast<clang::FullExpr>(&made))
    return mayKnowAddress(*full->getSubExpr());
  if (const auto *argument = dyn_cast<clang::CXXDefaultArgExpr>(&made))
    return mayKnowAddress(*argument->getExpr());
  if (const auto *construction = dyn_cast<clang::CXXConstructExpr>(&made)) {
    const clang::CXXConstructorDecl &constructor = *construction->getConstructor();
    const bool isSame = constructor.isCopyOrMoveConstructor() && construction->isElidable();
    return isSame ? mayKnowAddress(*construction->getArg(0)) : tellsAddress(constructor);
  }
  if (const auto *choice = dyn_cast<clang::AbstractConditionalOperator>(&made))
    return mayKnowAddress(*choice->getTrueExpr()) || mayKnowAddress(*choice->getFalseExpr());
  if (const auto *cast = dyn_cast<clang::ExplicitCastExpr>(&made))
    return mayKnowAddress(*cast->getSubExpr());
  if (llvm::isa<clang::InitListExpr, clang::CXXParenListInitExpr, clang::LambdaExpr>(made))
    return llvm::any_of(made.children(), [](const Stmt *part) {
      const auto *value = llvm::dyn_cast_or_null<Expr>(part);
      return value && mayKnowAddress(*value);
    });
  // Calls are looked at where the callee returns; places are copied.
  return !made.isGLValue() &&
         !llvm::isa<clang::CallExpr, clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(
             made);
}

bool mayKeepPointer(const clang::FunctionDecl &function, const VarDecl &variable) {
  return isRoomFor(variable.getType(), function) && Uses(variable).takeAddress(function.getBody());
}

bool mayKeepPointer(const clang::FunctionDecl &function, const Expr &expr) {
  return isRoomFor(expr.getType(), function) && mayKnowAddress(expr);
}

} // namespace colonnade::frontend

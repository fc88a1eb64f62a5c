//===- ConstantContext.cpp - Initialisers the language evaluates -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/ConstantContext.h"

#include "Frontend/Types/ClangTypes.h"

#include "llvm/ADT/StringSwitch.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::FunctionDecl;
using clang::Stmt;
using clang::VarDecl;
using llvm::dyn_cast;

namespace {
/// What code can ask of the evaluation that it is part of.
enum class Question : uint8_t { IsConstant, Compiler };

/// A number or text that says when, where or from which file the compiler was started.
bool isOfBuild(const Expr &literal, const clang::ASTContext &context) {
  const clang::SourceLocation loc = literal.getExprLoc();
  if (!loc.isMacroID() || !llvm::isa<clang::IntegerLiteral, clang::StringLiteral>(literal))
    return false;
  const llvm::StringRef macro =
      clang::Lexer::getImmediateMacroName(loc, context.getSourceManager(), context.getLangOpts());
  return llvm::StringSwitch<bool>(macro)
      .Cases("__DATE__", "__TIME__", "__TIMESTAMP__", "__BASE_FILE__", "__INCLUDE_LEVEL__", true)
      .Default(false);
}

/// Whether the class, or one within it, has bit-fields.
bool hasBitFields(clang::QualType type) {
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record && record->hasDefinition() &&
         (llvm::any_of(record->bases(),
                       [](const auto &base) { return hasBitFields(base.getType()); }) ||
          llvm::any_of(record->fields(), [](const clang::FieldDecl *field) {
            return field->isBitField() || hasBitFields(field->getType());
          }));
}

/// A question about a type that compilers answer differently.
bool isOfLayout(const Expr &expr) {
  if (const auto *size = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&expr))
    return isLaidOutDifferently(size->getTypeOfArgument());
  if (const auto *offset = dyn_cast<clang::OffsetOfExpr>(&expr))
    return isLaidOutDifferently(offset->getTypeSourceInfo()->getType());
  const auto *trait = dyn_cast<clang::TypeTraitExpr>(&expr);
  return trait && trait->getTrait() == clang::UTT_HasUniqueObjectRepresentations &&
         (hasBitFields(trait->getArg(0)->getType()) ||
          isLaidOutDifferently(trait->getArg(0)->getType()));
}

/// What compilers, or two calls of one, see differently.
bool isOfCompiler(const Expr &expr, const clang::ASTContext &context) {
  using clang::PredefinedIdentKind;
  if (const auto *name = dyn_cast<clang::PredefinedExpr>(&expr)) // else as the source writes it
    return name->getIdentKind() != PredefinedIdentKind::Func &&
           name->getIdentKind() != PredefinedIdentKind::Function;
  return llvm::isa<clang::SourceLocExpr>(expr) || isOfBuild(expr, context) || isOfLayout(expr);
}

/// Looks through an expression and through every function that it calls, each once.
class Questions {
public:
  Questions(Question question, const clang::ASTContext &context)
      : question_(question), context_(context) {}

  bool isAskedIn(const Expr &expr) {
    if (isAsked(&expr))
      return true;
    while (!pending_.empty()) {
      const FunctionDecl *function = pending_.back();
      pending_.pop_back();
      if (isAskedIn(*function))
        return true;
    }
    return false;
  }

private:
  bool isAskedIn(const FunctionDecl &function) {
    if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&function))
      for (const clang::CXXCtorInitializer *init : constructor->inits())
        if (isAsked(init->getInit()))
          return true;
    if (const auto *destructor = dyn_cast<clang::CXXDestructorDecl>(&function))
      callDestructorsOfParts(*destructor->getParent());
    return isAsked(function.getBody());
  }

  bool isAsked(const Stmt *stmt) {
    if (!stmt)
      return false;
    if (const auto *choice = dyn_cast<clang::IfStmt>(stmt);
        choice && choice->isConsteval() && question_ == Question::IsConstant)
      return true;
    if (const auto *argument = dyn_cast<clang::CXXDefaultArgExpr>(stmt))
      return isAsked(argument->getExpr());
    if (const auto *field = dyn_cast<clang::CXXDefaultInitExpr>(stmt))
      return isAsked(field->getExpr());
    if (const auto *expr = dyn_cast<Expr>(stmt); expr && isOfCompiler(*expr, context_))
      return question_ == Question::Compiler;
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(stmt);
        name && question_ == Question::Compiler)
      if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
        if (isAskedIn(*variable))
          return true;
    if (const auto *temporary = dyn_cast<clang::CXXBindTemporaryExpr>(stmt))
      call(temporary->getTemporary()->getDestructor());
    if (const auto *construction = dyn_cast<clang::CXXConstructExpr>(stmt))
      call(construction->getConstructor());
    if (const auto *inherited = dyn_cast<clang::CXXInheritedCtorInitExpr>(stmt))
      call(inherited->getConstructor());
    if (const auto *variables = dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *decl : variables->decls())
        if (const auto *variable = dyn_cast<VarDecl>(decl))
          callDestructor(variable->getType());
    if (const auto *made = dyn_cast<clang::CallExpr>(stmt)) {
      if (made->getBuiltinCallee() == clang::Builtin::BI__builtin_is_constant_evaluated)
        return question_ == Question::IsConstant;
      call(made->getDirectCallee());
    }
    return llvm::any_of(stmt->children(), [this](const Stmt *child) { return isAsked(child); });
  }

  /// Of a constant that the expression is made of.
  bool isAskedIn(const VarDecl &variable) {
    const VarDecl *definition = nullptr;
    const Expr *init = variable.getAnyInitializer(definition);
    return init && !init->isValueDependent() &&
           variable.mightBeUsableInConstantExpressions(context_) &&
           seenVariables_.insert(definition).second && isAsked(init);
  }

  void call(const FunctionDecl *function) {
    const FunctionDecl *definition = nullptr;
    if (function && function->hasBody(definition) && seen_.insert(definition).second)
      pending_.push_back(definition);
  }
  void callDestructor(clang::QualType type) {
    const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (record && record->hasDefinition())
      call(record->getDestructor());
  }
  void callDestructorsOfParts(const clang::CXXRecordDecl &record) {
    for (const clang::CXXBaseSpecifier &base : record.bases())
      callDestructor(base.getType());
    for (const clang::FieldDecl *field : record.fields())
      callDestructor(field->getType());
  }

  const Question question_;
  const clang::ASTContext &context_;
  llvm::DenseSet<const VarDecl *> seenVariables_;
  llvm::DenseSet<const FunctionDecl *> seen_;
  std::vector<const FunctionDecl *> pending_;
};
} // namespace

/// Clang notes it where the variable is defined.
static bool isSetUpByLanguage(const VarDecl &variable) {
  const Expr *init = variable.getInit();
  return init && !init->isValueDependent() && !variable.hasGlobalStorage() &&
         variable.hasConstantInitialization();
}

const clang::APValue *constantNumber(const VarDecl &variable) {
  if (!isSetUpByLanguage(variable) || !variable.getType()->isScalarType())
    return nullptr;
  const clang::APValue *value = variable.evaluateValue();
  const bool isNumber = value && (value->isInt() || value->isFloat() || value->isNullPointer());
  return isNumber ? value : nullptr;
}

bool isOnlyForConstants(const VarDecl &variable) {
  return isSetUpByLanguage(variable) &&
         Questions(Question::IsConstant, variable.getASTContext()).isAskedIn(*variable.getInit());
}

bool dependsOnCompiler(const Expr &expr, const clang::ASTContext &context) {
  return Questions(Question::Compiler, context).isAskedIn(expr);
}

} // namespace colonnade::frontend

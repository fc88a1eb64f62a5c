//===- Statements.cpp -----------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wrap/Statements.h"

#include "clang/AST/Decl.h"

namespace colonnade::wrap {

using namespace clang;

std::string declarator(QualType type, llvm::StringRef name, const PrintingPolicy &policy) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os, policy, name);
  return text;
}

/// Whether C++ asks for a cast where C converts silently.
static bool needsCast(const ImplicitCastExpr &cast) {
  const QualType from = cast.getSubExpr()->getType(), to = cast.getType();
  switch (cast.getCastKind()) {
  case CK_BitCast:
    return to->isPointerType() && !to->isVoidPointerType();
  case CK_NoOp: // loses a qualifier
    return to->isPointerType() && from->isPointerType() &&
           !to->getPointeeType().isAtLeastAsQualifiedAs(from->getPointeeType());
  case CK_NullToPointer:
    return !cast.getSubExpr()->IgnoreParens()->getType()->isIntegerType();
  case CK_IntegralToPointer:
  case CK_PointerToIntegral:
    return true;
  case CK_IntegralCast:
  case CK_FloatingToIntegral:
    return to->isEnumeralType();
  default:
    return false;
  }
}

static const FunctionDecl *calleeOf(const Stmt *statement) {
  const auto *call = llvm::dyn_cast_or_null<CallExpr>(statement);
  return call ? call->getDirectCallee() : nullptr;
}

static llvm::StringRef plainName(const FunctionDecl &function) {
  llvm::StringRef name = function.getIdentifier() ? function.getName() : "";
  llvm::StringRef bare = name;
  bare.consume_front("__builtin_");
  return bare == "abort" || bare == "exit" || bare == "printf" ? bare : name;
}

std::string Statements::body(const FunctionDecl &function) {
  function_ = &function;
  std::string text;
  llvm::raw_string_ostream os(text);
  const auto *block = llvm::cast<CompoundStmt>(function.getBody());
  os << "{\n";
  for (const Stmt *statement : block->body()) {
    statement->printPretty(os, this, policy_, 2);
    if (llvm::isa<Expr>(statement))
      os << ";\n";
  }
  const QualType result = function.getReturnType();
  const bool returns = !block->body_empty() && llvm::isa<ReturnStmt>(block->body_back());
  if (!returns && result->isScalarType())
    os << "    return (" << declarator(result, "", policy_) << ")0;\n";
  os << "  }\n";
  function_ = nullptr;
  return text;
}

std::string Statements::expression(const Expr &expression) {
  std::string text;
  llvm::raw_string_ostream os(text);
  expression.printPretty(os, this, policy_);
  return text;
}

bool Statements::handledStmt(Stmt *statement, llvm::raw_ostream &os) {
  if (planted_ && statement == planted_->getCond())
    return handledPlanted(*planted_->getCond(), os);
  if (const auto *cast = llvm::dyn_cast<ImplicitCastExpr>(statement))
    return handledCast(*cast, os);
  if (const auto *call = llvm::dyn_cast<CallExpr>(statement))
    return handledCall(*call, os);
  if (const auto *declarations = llvm::dyn_cast<DeclStmt>(statement))
    return handledDeclarations(*declarations, os);
  if (const auto *back = llvm::dyn_cast<ReturnStmt>(statement))
    return handledReturn(*back, os);
  if (const auto *reference = llvm::dyn_cast<DeclRefExpr>(statement))
    return handledReference(*reference, os);
  if (const auto *character = llvm::dyn_cast<CharacterLiteral>(statement)) { // an int in C
    os << int(character->getValue());
    return true;
  }
  return false;
}

bool Statements::handledPlanted(const Expr &condition, llvm::raw_ostream &os) {
  planted_ = nullptr;
  os << "!(" << expression(condition) << ")";
  return true;
}

bool Statements::handledCast(const ImplicitCastExpr &cast, llvm::raw_ostream &os) {
  if (!needsCast(cast))
    return false;
  os << "((" << declarator(cast.getType().getUnqualifiedType(), "", policy_) << ")";
  if (cast.getCastKind() == CK_NullToPointer)
    os << "0)";
  else
    os << "(" << expression(*cast.getSubExpr()) << "))";
  return true;
}

bool Statements::handledCall(const CallExpr &call, llvm::raw_ostream &os) {
  const FunctionDecl *callee = calleeOf(&call);
  if (!callee || callee->hasBody())
    return false;
  const llvm::StringRef name = plainName(*callee);
  if (name == "exit" && function_ && function_->isMain() && call.getNumArgs() == 1) {
    // The statement's own `;` follows.
    os << "return " << expression(*call.getArg(0));
    return true;
  }
  if (name == callee->getName())
    return false;
  os << name << "(";
  for (unsigned i = 0; i < call.getNumArgs(); ++i)
    os << (i ? ", " : "") << expression(*call.getArg(i));
  os << ")";
  return true;
}

/// Types stand before the class, statics and prototypes in it.
static bool isElsewhere(const Decl &decl) {
  if (const auto *variable = llvm::dyn_cast<VarDecl>(&decl))
    return !variable->hasLocalStorage();
  return llvm::isa<FunctionDecl, TagDecl, EmptyDecl>(decl);
}

bool Statements::handledDeclarations(const DeclStmt &statement, llvm::raw_ostream &os) {
  for (const Decl *decl : statement.decls()) {
    if (isElsewhere(*decl))
      continue;
    const auto *variable = llvm::dyn_cast<VarDecl>(decl);
    if (!variable)
      return false;
    os << "    " << declarator(variable->getType(), variable->getName(), policy_);
    if (const Expr *value = variable->getInit())
      os << " = " << expression(*value);
    os << ";\n";
  }
  return true;
}

bool Statements::handledReturn(const ReturnStmt &statement, llvm::raw_ostream &os) {
  if (statement.getRetValue() || !function_ || !function_->getReturnType()->isScalarType())
    return false;
  os << "    return (" << declarator(function_->getReturnType(), "", policy_) << ")0;\n";
  return true;
}

bool Statements::handledReference(const DeclRefExpr &reference, llvm::raw_ostream &os) {
  const auto *variable = llvm::dyn_cast<VarDecl>(reference.getDecl());
  const auto found = names_.find(variable);
  os << (found == names_.end() ? reference.getDecl()->getNameAsString() : found->second);
  return true;
}

} // namespace colonnade::wrap

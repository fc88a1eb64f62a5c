//===- EvaluationsOfCalls.cpp - Calls and constructors ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a library function does to memory is in LibraryEffects.def; whether a name is one
// is asked of Library/Table.h.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"
#include "Frontend/Library/Table.h"
#include "Frontend/Types/ClangTypes.h"
#include "Frontend/Types/CopyElision.h"

#include "llvm/ADT/StringSwitch.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::QualType;
using llvm::dyn_cast;

namespace {
enum class Effect {
  Value,   // a value of its own: any operation
  None,    // names its argument, or says something to an optimiser
  Hint,    // its operands are not evaluated
  Read,    // gives the value of its argument, which may be a place
  Copy,    // reads and writes
  Write,   // writes through a pointer
  Compare, // reads through two pointers
};
} // namespace

static Effect effectOf(llvm::StringRef name) {
  name.consume_front("__builtin_");
  return llvm::StringSwitch<Effect>(name)
#define COLONNADE_EFFECT(name, effect) .Case(name, Effect::effect)
#include "Frontend/Ledger/LibraryEffects.def"
      .Default(Effect::Value);
}

/// A value goes into a parameter, or is returned.
void EvaluationWalk::argument(const Expr &expr, QualType type) {
  if (isAggregate(type))
    return initialize(expr, type, /*isPart=*/false);
  walk(&expr);
}

void EvaluationWalk::arguments(const clang::CallExpr &expr, const clang::FunctionDecl *callee) {
  bool isMember = llvm::isa<clang::CXXOperatorCallExpr>(expr) &&
                  llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee);
  for (unsigned i = 0; i < expr.getNumArgs(); ++i) {
    unsigned parameter = i - isMember; // the object of an operator is its first argument
    if (callee && parameter < callee->getNumParams())
      argument(*expr.getArg(i), callee->getParamDecl(parameter)->getType());
    else
      walk(expr.getArg(i));
  }
}

/// The copy that the language makes itself.
static bool isPlainCopy(const clang::CXXMethodDecl &method) {
  bool copies = method.isCopyAssignmentOperator() || method.isMoveAssignmentOperator();
  return copies && method.isTrivial();
}

void EvaluationWalk::call(const clang::CallExpr &expr) {
  const clang::FunctionDecl *callee = expr.getDirectCallee();
  if (callee && operations_.at(keyOf(nodes_, here(&expr))).callees.empty() &&
      library::findFunction(*callee, expr.getNumArgs()))
    return libraryCall(expr, *callee);
  // __builtin_constant_p, and others that ask only what their operand is
  if (callee && callee->getBuiltinID() && clang_.BuiltinInfo.isUnevaluated(callee->getBuiltinID()))
    return expectUnless(DiscardRule::Unevaluated, Kind::Call, &expr);
  walk(expr.getCallee());
  arguments(expr, callee);
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (!callee)
    expect(Kind::Refusal, &expr);
  else if (method && isPlainCopy(*method))
    expect(Kind::Write, &expr);
  else
    expect(Kind::Call, &expr).callee = callee;
}

/// The elements of std::min({a, b, c}) are values, no array.
static const clang::InitListExpr *elementsOf(const Expr &argument) {
  const Expr *bare = argument.IgnoreImplicit();
  if (const auto *list = dyn_cast<clang::CXXStdInitializerListExpr>(bare))
    return dyn_cast<clang::InitListExpr>(list->getSubExpr()->IgnoreImplicit());
  return nullptr;
}

void EvaluationWalk::libraryCall(const clang::CallExpr &expr, const clang::FunctionDecl &callee) {
  Effect effect = effectOf(callee.getNameAsString());
  if (effect == Effect::Hint)
    return expectUnless(DiscardRule::Unevaluated, Kind::Call, &expr);
  walk(expr.getCallee());
  for (const Expr *argument : expr.arguments())
    if (const clang::InitListExpr *elements = elementsOf(*argument))
      for (const Expr *element : elements->inits())
        walk(element);
    else
      walk(argument);
  if (effect == Effect::Value)
    expect(Kind::Call, &expr).byLibrary = true;
  else if (effect == Effect::None || effect == Effect::Read)
    expectUnless(DiscardRule::NoEffect, Kind::Call, &expr);
  if (effect == Effect::Read)
    read(*expr.getArg(0));
  unsigned reads = 0, writes = 0;
  if (effect == Effect::Copy)
    reads = writes = 1;
  else if (effect == Effect::Write)
    writes = 1;
  else if (effect == Effect::Compare)
    reads = 2;
  for (unsigned i = 0; i < reads; ++i)
    expect(Kind::Read, &expr);
  for (unsigned i = 0; i < writes; ++i)
    expect(Kind::Write, &expr);
}

void EvaluationWalk::construct(const clang::CXXConstructExpr &expr) {
  const clang::CXXConstructorDecl &constructor = *expr.getConstructor();
  QualType type = expr.getType();
  if (const Expr *temporary = elidedTemporary(expr))
    return argument(*temporary, type);
  if (expr.requiresZeroInitialization())
    zero(expr, type);
  for (unsigned i = 0; i < expr.getNumArgs(); ++i)
    argument(*expr.getArg(i), i < constructor.getNumParams()
                                  ? constructor.getParamDecl(i)->getType()
                                  : expr.getArg(i)->getType());
  bool isPlain = constructor.isTrivial() || &expr == elidedReturn_;
  bool isThere =
      &expr == elidedReturn_ && operations_.at(here(resultVariable(function_))).objects == 0;
  if (isPlain && constructor.isCopyOrMoveConstructor())
    expectUnless(isThere ? std::optional(DiscardRule::ResultItself) : std::nullopt, Kind::Write,
                 &expr);
  else if (isPlain && constructor.isDefaultConstructor())
    expectUnless(DiscardRule::TrivialConstructor, Kind::Call, &expr);
  else
    expect(Kind::Call, &expr).callee = &constructor;
}

/// The parameters are passed on: scalars are read, objects are the same.
void EvaluationWalk::inherited(const clang::CXXInheritedCtorInitExpr &expr) {
  for (const clang::ParmVarDecl *parameter : function_.parameters())
    if (!parameter->getType()->isReferenceType() && !isAggregate(parameter->getType()))
      expect(Kind::Read, &expr);
  expect(Kind::Call, &expr).callee = expr.getConstructor();
}

} // namespace colonnade::frontend::ledger

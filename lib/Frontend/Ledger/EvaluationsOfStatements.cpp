//===- EvaluationsOfStatements.cpp - Statements and declarations ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"
#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/ClangTypes.h"
#include "Frontend/Types/CopyElision.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using clang::VarDecl;
using llvm::cast;
using llvm::dyn_cast;

void EvaluationWalk::statement(NodeRule rule, const Stmt &stmt) {
  switch (rule) {
  case NodeRule::Label: // a label's value is a constant
    return walk(cast<clang::SwitchCase>(stmt).getSubStmt());
  case NodeRule::Decl:
    for (const clang::Decl *decl : cast<clang::DeclStmt>(stmt).decls())
      declaration(*decl);
    return;
  case NodeRule::If:
    return ifElse(cast<clang::IfStmt>(stmt));
  case NodeRule::For: {
    const auto &loop = cast<clang::ForStmt>(stmt);
    walk(loop.getInit());
    if (const VarDecl *tested = loop.getConditionVariable())
      declaration(*tested);
    walk(loop.getCond());
    expect(Kind::Condition, &stmt);
    walk(loop.getBody());
    return walk(loop.getInc());
  }
  case NodeRule::While: {
    const auto &loop = cast<clang::WhileStmt>(stmt);
    if (const VarDecl *tested = loop.getConditionVariable())
      declaration(*tested);
    walk(loop.getCond());
    expect(Kind::Condition, &stmt);
    return walk(loop.getBody());
  }
  case NodeRule::Do:
    return doWhile(cast<clang::DoStmt>(stmt));
  case NodeRule::RangeFor:
    return rangeFor(cast<clang::CXXForRangeStmt>(stmt));
  case NodeRule::Switch:
    return choice(cast<clang::SwitchStmt>(stmt));
  case NodeRule::Return:
    elidedReturn_ = elidedReturn(cast<clang::ReturnStmt>(stmt), function_);
    if (const Expr *value = cast<clang::ReturnStmt>(stmt).getRetValue())
      argument(*value, function_.getReturnType());
    return;
  case NodeRule::Assembly:
    return assembly(cast<clang::GCCAsmStmt>(stmt));
  default:
    return void(expect(Kind::Refusal, &stmt));
  }
}

void EvaluationWalk::declaration(const clang::Decl &decl) {
  uint32_t outer = frame_;
  enter(&decl);
  if (const auto *name = dyn_cast<clang::TypedefNameDecl>(&decl))
    variableSizes(name->getUnderlyingType());
  else if (const auto *declared = dyn_cast<VarDecl>(&decl))
    variable(*declared);
  else if (!llvm::isa<clang::TypeDecl, clang::FunctionDecl, clang::StaticAssertDecl,
                      clang::UsingDecl, clang::UsingDirectiveDecl, clang::UsingShadowDecl,
                      clang::UsingEnumDecl, clang::NamespaceAliasDecl, clang::EmptyDecl,
                      clang::LabelDecl, clang::EnumConstantDecl>(decl) &&
           !llvm::isa<clang::TemplateDecl>(decl))
    expect(Kind::Refusal, &decl);
  frame_ = outer;
}

/// A variable of the function, or one that is set up before, or when it is first passed.
void EvaluationWalk::variable(const VarDecl &variable) {
  const Expr *init = variable.getInit();
  QualType type = variable.getType();
  if (variable.isStaticLocal() || variable.hasExternalStorage()) {
    bool atRunTime = variable.hasInit() && !variable.hasConstantInitialization();
    if (atRunTime || variable.needsDestruction(clang_) == QualType::DK_cxx_destructor)
      expect(Kind::Refusal, &variable);
    return;
  }
  if (type.isDestructedType() == QualType::DK_cxx_destructor)
    destroyed_[&variable] = frame_;
  variableSizes(type);
  if (init)
    initialize(*init, type, /*isPart=*/false);
  if (const auto *parts = dyn_cast<clang::DecompositionDecl>(&variable))
    for (const clang::BindingDecl *part : parts->bindings())
      if (const VarDecl *holder = part->getHoldingVar())
        declaration(*holder);
}

void EvaluationWalk::ifElse(const clang::IfStmt &stmt) {
  walk(stmt.getInit());
  if (const VarDecl *tested = stmt.getConditionVariable())
    declaration(*tested);
  if (stmt.isConsteval() || stmt.isConstexpr())
    expectUnless(DiscardRule::ConstantIf, Kind::Condition, &stmt);
  if (stmt.isConsteval())
    return walk(stmt.isNegatedConsteval() ? stmt.getThen() : stmt.getElse());
  if (stmt.isConstexpr()) {
    std::optional<const Stmt *> taken = stmt.getNondiscardedCase(clang_);
    return taken ? walk(*taken) : void(expect(Kind::Refusal, &stmt));
  }
  walk(stmt.getCond());
  expect(Kind::Condition, &stmt);
  walk(stmt.getThen());
  walk(stmt.getElse());
}

void EvaluationWalk::doWhile(const clang::DoStmt &stmt) {
  walk(stmt.getBody());
  walk(stmt.getCond());
  expect(Kind::Condition, &stmt);
}

/// Over an array, the iterators that the standard speaks of are a counter.
void EvaluationWalk::rangeFor(const clang::CXXForRangeStmt &stmt) {
  walk(stmt.getInit());
  walk(stmt.getRangeStmt());
  expect(Kind::Condition, &stmt);
  QualType range =
      cast<VarDecl>(stmt.getRangeStmt()->getSingleDecl())->getType().getNonReferenceType();
  if (range->isArrayType() || asStdArray(range)) {
    counters_.insert(cast<VarDecl>(stmt.getBeginStmt()->getSingleDecl()));
    if (!range->isArrayType()) // begin() and end()
      for (const clang::DeclStmt *iterator : {stmt.getBeginStmt(), stmt.getEndStmt()})
        expectUnless(DiscardRule::ArrayCounter, Kind::Call,
                     &unwrapped(*cast<VarDecl>(iterator->getSingleDecl())->getInit()));
  } else {
    walk(stmt.getBeginStmt());
    walk(stmt.getEndStmt());
    walk(stmt.getCond());
    walk(stmt.getInc());
  }
  walk(stmt.getLoopVarStmt());
  walk(stmt.getBody());
}

/// Which label it is, if any, and whether a statement is behind it.
void EvaluationWalk::choice(const clang::SwitchStmt &stmt) {
  walk(stmt.getInit());
  if (const VarDecl *tested = stmt.getConditionVariable())
    declaration(*tested);
  walk(stmt.getCond());
  expect(Kind::Condition, &stmt);
  for (const clang::SwitchCase *label = stmt.getSwitchCaseList(); label;
       label = label->getNextSwitchCase())
    if (llvm::isa<clang::CaseStmt>(label))
      expect(Kind::Label, &stmt);
  walk(stmt.getBody());
}

/// Only an empty one is no refusal: its outputs keep their values, "m" operands are read.
void EvaluationWalk::assembly(const clang::GCCAsmStmt &stmt) {
  for (const Expr *output : stmt.outputs()) {
    walk(output);
    expect(Kind::Read, &stmt);
    expect(Kind::Write, &stmt);
  }
  for (const Expr *input : stmt.inputs()) {
    walk(input);
    if (input->isGLValue() && input->getType()->isScalarType())
      expect(Kind::Read, &stmt);
  }
}

} // namespace colonnade::frontend::ledger

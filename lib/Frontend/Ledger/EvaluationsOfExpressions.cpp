//===- EvaluationsOfExpressions.cpp - Names, conversions and operators ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"
#include "Frontend/Types/ClangTypes.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::Stmt;
using llvm::dyn_cast;

void EvaluationWalk::children(const Stmt &stmt) {
  for (const Stmt *child : stmt.children())
    walk(child);
  const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&stmt);
  if (element && !element->isGLValue() && element->getType()->isScalarType())
    expect(Kind::Read, element); // C: f().x[0]
}

/// A default argument or initialiser; in the latter `this` is the new object.
void EvaluationWalk::shared(const Expr &expr) {
  uint32_t outer = context_;
  auto captures = captures_;
  if (llvm::isa<clang::CXXDefaultInitExpr>(expr))
    captures_.clear();
  context_ = nodes_.enter(context_, expr);
  walk(sharedPart(expr));
  context_ = outer;
  captures_ = std::move(captures);
}

/// To name something is no access; a reference that is a field of the closure is one.
void EvaluationWalk::name(const clang::DeclRefExpr &expr) {
  if (const Expr *binding = sharedPart(expr)) {
    uint32_t outer = context_;
    context_ = nodes_.enter(context_, expr);
    walk(binding);
    context_ = outer;
    return;
  }
  auto capture = captures_.find(expr.getDecl());
  if (capture != captures_.end() && capture->second->getType()->isReferenceType())
    expect(Kind::Read, &expr);
}

void EvaluationWalk::member(const clang::MemberExpr &expr) {
  walk(expr.getBase());
  const auto *field = dyn_cast<clang::FieldDecl>(expr.getMemberDecl());
  bool isOfValue = field && !expr.isGLValue() && expr.getType()->isScalarType(); // C: f().x
  if (isOfValue || (field && field->getType()->isReferenceType()))
    expect(Kind::Read, &expr);
}

void EvaluationWalk::self(const clang::CXXThisExpr &expr) {
  if (!captures_.empty() || capturedThis_)
    if (capturedThis_ && capturedThis_->getType()->isPointerType())
      expect(Kind::Read, &expr);
}

/// Only a scalar may need no memory: an aggregate is written by what sets it up.
void EvaluationWalk::temporary(const clang::MaterializeTemporaryExpr &expr) {
  walk(expr.getSubExpr());
  if (isAggregate(expr.getType()))
    return;
  bool isInMemory = operations_.at(keyOf(nodes_, here(&expr))).objects > 0;
  expectUnless(isInMemory ? std::nullopt : std::optional(DiscardRule::ScalarTemporary), Kind::Write,
               &expr);
}

void EvaluationWalk::conversion(const clang::CastExpr &expr) {
  if (const auto *written = dyn_cast<clang::ExplicitCastExpr>(&expr))
    variableSizes(written->getTypeAsWritten());
  walk(expr.getSubExpr());
  if (expr.getCastKind() == clang::CK_LValueToRValue ||
      expr.getCastKind() == clang::CK_LValueToRValueBitCast)
    read(*expr.getSubExpr());
}

void EvaluationWalk::unary(const clang::UnaryOperator &expr) {
  walk(expr.getSubExpr());
  if (!expr.isIncrementDecrementOp())
    return;
  expect(Kind::Read, &expr);
  expect(Kind::Write, &expr);
}

void EvaluationWalk::binary(const clang::BinaryOperator &expr) {
  if (expr.getOpcode() == clang::BO_Assign)
    return assignment(expr);
  walk(expr.getLHS());
  if (expr.isLogicalOp())
    expect(Kind::Condition, &expr);
  walk(expr.getRHS());
}

void EvaluationWalk::assignment(const clang::BinaryOperator &expr) {
  const auto *value = dyn_cast<clang::ImplicitCastExpr>(expr.getRHS()->IgnoreParens());
  if (isAggregate(expr.getType()) && value && value->getCastKind() == clang::CK_LValueToRValue) {
    walk(value->getSubExpr()); // C: one copy
    expect(Kind::Read, &expr);
  } else {
    walk(expr.getRHS());
  }
  walk(expr.getLHS());
  expect(Kind::Write, &expr);
}

void EvaluationWalk::compoundAssignment(const clang::CompoundAssignOperator &expr) {
  walk(expr.getRHS());
  walk(expr.getLHS());
  expect(Kind::Read, &expr);
  expect(Kind::Write, &expr);
}

void EvaluationWalk::conditional(const clang::AbstractConditionalOperator &expr) {
  if (const auto *binary = dyn_cast<clang::BinaryConditionalOperator>(&expr)) {
    walk(binary->getCommon()); // once
    knownOpaque_.insert(binary->getOpaqueValue());
  }
  walk(expr.getCond());
  expect(Kind::Condition, &expr);
  walk(expr.getTrueExpr());
  walk(expr.getFalseExpr());
}

} // namespace colonnade::frontend::ledger

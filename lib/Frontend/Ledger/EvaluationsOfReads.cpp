//===- EvaluationsOfReads.cpp - The value of a place is used --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"
#include "Frontend/Library/Table.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::Stmt;
using llvm::cast;
using llvm::dyn_cast;

/// An assignment gives what it stores. Over an array, the counter of a range-for stands for
/// the iterators that the standard speaks of.
std::optional<DiscardRule> EvaluationWalk::excuseOfRead(const Expr &bare) const {
  const auto *binary = dyn_cast<clang::BinaryOperator>(&bare);
  const auto *unary = dyn_cast<clang::UnaryOperator>(&bare);
  const auto *name = dyn_cast<clang::DeclRefExpr>(&bare);
  const auto *variable = name ? dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if ((binary && binary->isAssignmentOp()) || (unary && unary->isIncrementDecrementOp()))
    return DiscardRule::StoredValue;
  if (!bare.isGLValue())
    return DiscardRule::NoPlace;
  if (variable && counters_.count(variable))
    return DiscardRule::ArrayCounter;
  return std::nullopt;
}

void EvaluationWalk::read(const Expr &place) {
  SourceNode key = keyOf(nodes_, here(&place));
  const auto &bare = cast<Expr>(*llvm::cast<const Stmt *>(key.node));
  uint32_t outer = std::exchange(context_, key.context);
  const auto *choice = dyn_cast<clang::AbstractConditionalOperator>(&bare);
  const auto *binary = dyn_cast<clang::BinaryOperator>(&bare);
  const auto *call = dyn_cast<clang::CallExpr>(&bare);
  if (choice) {
    read(*choice->getTrueExpr());
    read(*choice->getFalseExpr());
  } else if (binary && binary->getOpcode() == clang::BO_Comma) {
    read(*binary->getRHS());
  } else if (call && isExtreme(*call)) {
    expectAll(*call, extreme(*call));
  } else {
    expectUnless(excuseOfRead(bare), Kind::Read, &bare);
  }
  context_ = outer;
}

/// A function of the library that returns one of its arguments, by comparing them, and is
/// not called: which address it returns is no value of the program.
bool EvaluationWalk::isExtreme(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const library::LibraryFunction *known =
      callee ? library::findFunction(*callee, call.getNumArgs()) : nullptr;
  return known && known->read && operations_.at(keyOf(nodes_, here(&call))).callees.empty();
}

/// The call whose result, a reference, `argument` is; null where it is a value of its own,
/// as in std::min(a, (int)std::max(b, c)).
static const clang::CallExpr *referredCall(const Expr &argument) {
  const Expr *bare = argument.IgnoreParens();
  while (const auto *conversion = dyn_cast<clang::ImplicitCastExpr>(bare)) {
    if (conversion->getCastKind() != clang::CK_NoOp)
      return nullptr;
    bare = conversion->getSubExpr()->IgnoreParens();
  }
  return dyn_cast<clang::CallExpr>(bare);
}

void EvaluationWalk::expectAll(const clang::CallExpr &call, ReadsOfChoice reads) {
  for (unsigned i = 0; i < reads.reads; ++i)
    expect(Kind::Read, &call);
  for (unsigned i = 0; i < reads.conditions; ++i)
    expect(Kind::Condition, &call);
}

ReadsOfChoice EvaluationWalk::operand(const Expr &argument) {
  const clang::CallExpr *inner = referredCall(argument);
  if (inner && isExtreme(*inner))
    return extreme(*inner);
  SourceNode key = keyOf(nodes_, here(&argument));
  bool isPlace = cast<Expr>(llvm::cast<const Stmt *>(key.node))->isGLValue() ||
                 operations_.at(key).objects > 0; // a temporary in memory
  return {isPlace ? 1U : 0U, 0};
}

/// std::min, std::max and std::clamp read what they compare; clamp compares what it has chosen
/// first with the upper bound. A choice is read by reading either place, under a condition.
ReadsOfChoice EvaluationWalk::extreme(const clang::CallExpr &call) {
  ReadsOfChoice chosen = operand(*call.getArg(0));
  for (const Expr *argument : llvm::drop_begin(call.arguments())) {
    ReadsOfChoice other = operand(*argument);
    ReadsOfChoice both = {chosen.reads + other.reads, chosen.conditions + other.conditions};
    expectAll(call, both);
    chosen = {both.reads, both.conditions + 1};
  }
  return chosen;
}

} // namespace colonnade::frontend::ledger

//===- Discards.cpp - What need have no operation --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/Discards.h"

#include "Frontend/Types/ClangTypes.h"
#include "Frontend/Types/ConstantContext.h"

#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DepthFirstIterator.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using clang::VarDecl;
using llvm::dyn_cast;

llvm::StringRef name(DiscardRule rule) {
  switch (rule) {
#define COLONNADE_DISCARD(Rule, reason)                                                            \
  case DiscardRule::Rule:                                                                          \
    return #Rule;
#define COLONNADE_EXCUSE COLONNADE_DISCARD
#include "Frontend/Ledger/Discards.def"
  }
  return "";
}

Discards::Discards(const clang::FunctionDecl &function, const FunctionEvaluations &evaluations,
                   SourceNodes &nodes, const OperationIndex &operations, DefinitionOf definitionOf)
    : function_(function), clang_(function.getASTContext()), evaluations_(evaluations),
      nodes_(nodes), operations_(operations), definitionOf_(definitionOf) {}

std::optional<DiscardRule> Discards::ruleFor(const Evaluation &evaluation) {
#define COLONNADE_DISCARD(Rule, reason)                                                            \
  if (applies(DiscardRule::Rule, evaluation))                                                      \
    return DiscardRule::Rule;
#include "Frontend/Ledger/Discards.def"
  return std::nullopt;
}

/// From the innermost node to the function.
bool Discards::anyFrame(const Evaluation &evaluation,
                        llvm::function_ref<bool(const Frame &)> holds) const {
  for (uint32_t at = evaluation.frame;; at = evaluations_.frames[at].parent) {
    if (holds(evaluations_.frames[at]))
      return true;
    if (at == 0)
      return false;
  }
}

static const Stmt *stmtOf(const SourceNode &at) {
  return llvm::dyn_cast_if_present<const Stmt *>(at.node);
}
static const VarDecl *variableOf(const SourceNode &at) {
  return llvm::dyn_cast_or_null<VarDecl>(llvm::dyn_cast_if_present<const clang::Decl *>(at.node));
}

/// A value that Clang computes, where nothing happens on the way: not in a part, either, as in
/// (t[i], 0).
static bool isWholeConstant(const Expr &expr, const clang::ASTContext &context) {
  Expr::EvalResult value;
  return !expr.HasSideEffects(context) && expr.EvaluateAsRValue(value, context) &&
         !value.HasSideEffects;
}
static bool evaluatesToConstant(const Expr &expr, const clang::ASTContext &context) {
  return !expr.isValueDependent() && expr.isPRValue() && !expr.getType()->isVoidType() &&
         isWholeConstant(expr, context);
}

/// A built-in of which the language says that its operands are not evaluated, or a constant.
static bool isConstantBuiltin(const clang::CallExpr &call, const clang::ASTContext &context) {
  Expr::EvalResult value;
  return call.getBuiltinCallee() != 0 && !call.isValueDependent() &&
         !call.HasSideEffects(context, /*IncludePossibleEffects=*/false) &&
         call.EvaluateAsRValue(value, context) && !value.HasSideEffects;
}

/// The evaluation itself, a constant expression around it, or a built-in that only asks
/// whether its operand is a constant.
bool Discards::isConstant(const Evaluation &evaluation) const {
  const auto *own = llvm::dyn_cast_or_null<Expr>(stmtOf(evaluations_.frames[evaluation.frame].at));
  if (own && evaluation.kind == EvaluationKind::Read && evaluatesToConstant(*own, clang_))
    return true;
  return anyFrame(evaluation, [&](const Frame &frame) {
    const Stmt *stmt = stmtOf(frame.at);
    if (const auto *constant = llvm::dyn_cast_or_null<clang::ConstantExpr>(stmt))
      return constant->hasAPValueResult();
    const auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(stmt);
    return call && isConstantBuiltin(*call, clang_);
  });
}

/// Within the initialiser of a variable whose number the language computes: but not the variable's
/// own write.
bool Discards::isWithinConstantInit(const Evaluation &evaluation) const {
  return anyFrame(evaluation, [&](const Frame &frame) {
    const VarDecl *variable = variableOf(frame.at);
    if (!variable || !constantNumber(*variable))
      return false;
    const bool isOwn = evaluation.key == keyOf(nodes_, {frame.at.context, variable->getInit()});
    return evaluation.kind != EvaluationKind::Write || !isOwn;
  });
}

/// What a consteval function, or one of its arguments, writes.
bool Discards::isWithinImmediate(const Evaluation &evaluation) const {
  const auto &frames = evaluations_.frames;
  for (uint32_t at = evaluation.frame; at != 0;) {
    at = frames[at].parent;
    const auto *constant = llvm::dyn_cast_or_null<clang::ConstantExpr>(stmtOf(frames[at].at));
    if (constant && constant->isImmediateInvocation())
      return constant->hasAPValueResult();
  }
  return false;
}

/// Whether it decides, or helps to decide, that a `do` loop ends: which is a constant.
bool Discards::isOfConstantEnd(const Evaluation &evaluation) const {
  auto endsAlways = [&](const clang::DoStmt *loop) {
    bool value = true;
    return loop && isWholeConstant(*loop->getCond(), clang_) &&
           loop->getCond()->EvaluateAsBooleanCondition(value, clang_) && !value;
  };
  if (evaluation.kind == EvaluationKind::Condition)
    if (const auto *loop = llvm::dyn_cast_or_null<clang::DoStmt>(stmtOf(evaluation.key)))
      return endsAlways(loop);
  return anyFrame(evaluation, [&](const Frame &frame) {
    const Frame &around = evaluations_.frames[frame.parent];
    const auto *loop = llvm::dyn_cast_or_null<clang::DoStmt>(stmtOf(around.at));
    return loop && stmtOf(frame.at) == loop->getCond() && endsAlways(loop);
  });
}

bool Discards::isConstantValue(const VarDecl &variable) const {
  QualType type = variable.getType();
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  bool isMutable = record && record->hasDefinition() && record->hasMutableFields();
  if (llvm::isa<clang::ParmVarDecl>(variable) || !type.isConstQualified() ||
      type.isVolatileQualified() || isMutable)
    return false;
  const VarDecl *definition = definitionOf_(variable);
  const Expr *init = definition ? definition->getAnyInitializer(definition) : nullptr;
  if (!init && definition && isZeroOfFile(*definition))
    return true;
  return init && !init->isValueDependent() && definition->evaluateValue();
}

bool Discards::isConstantVariable(const Evaluation &evaluation) const {
  const Stmt *stmt = stmtOf(evaluation.key);
  const clang::ValueDecl *decl = nullptr;
  if (const auto *name = llvm::dyn_cast_or_null<clang::DeclRefExpr>(stmt))
    decl = name->getDecl();
  if (const auto *member = llvm::dyn_cast_or_null<clang::MemberExpr>(stmt))
    decl = member->getMemberDecl();
  const auto *variable = llvm::dyn_cast_or_null<VarDecl>(decl);
  return evaluation.kind == EvaluationKind::Read && variable && isConstantValue(*variable);
}

/// Every label of the switch is in front of one run of statements, `default` among them.
static bool hasOneTarget(const clang::SwitchStmt &stmt) {
  bool hasDefault = false;
  for (const clang::SwitchCase *label = stmt.getSwitchCaseList(); label;
       label = label->getNextSwitchCase())
    hasDefault |= llvm::isa<clang::DefaultStmt>(label);
  if (!hasDefault)
    return !stmt.getSwitchCaseList();
  const auto *body = dyn_cast<clang::CompoundStmt>(stmt.getBody());
  if (!body)
    return llvm::isa<clang::SwitchCase>(stmt.getBody());
  unsigned labelled = 0;
  for (const Stmt *child : body->body())
    labelled += llvm::isa<clang::SwitchCase>(child);
  return labelled == 1;
}

/// Asked for each of a list's elements, and Clang looks through the whole list each time.
bool Discards::hasSideEffects(const clang::InitListExpr &list) {
  auto [it, isNew] = sideEffects_.try_emplace(&list, false);
  if (isNew)
    it->second = list.HasSideEffects(clang_);
  return it->second;
}

bool Discards::applies(DiscardRule rule, const Evaluation &evaluation) {
  const Stmt *stmt = stmtOf(evaluation.key);
  switch (rule) {
  case DiscardRule::Refused:
    return anyFrame(evaluation, [&](const Frame &frame) {
      return operations_.at(keyOf(nodes_, frame.at)).refusals > 0;
    });
  case DiscardRule::Constant:
    return isWithinConstantInit(evaluation) ||
           (evaluation.kind != EvaluationKind::Write ? isConstant(evaluation)
                                                     : isWithinImmediate(evaluation));
  case DiscardRule::ConstantVariable:
    return isConstantVariable(evaluation);
  case DiscardRule::ConstantObject:
    return anyFrame(evaluation, [&](const Frame &frame) {
      const VarDecl *variable = variableOf(frame.at);
      return variable && isAggregate(variable->getType()) && isConstantValue(*variable) &&
             operations_.at(frame.at).objects == 0;
    });
  case DiscardRule::TableCopy:
    return anyFrame(evaluation, [&](const Frame &frame) {
      const auto *list = llvm::dyn_cast_or_null<clang::InitListExpr>(stmtOf(frame.at));
      return list && operations_.at(keyOf(nodes_, frame.at)).tableCopies > 0 &&
             !hasSideEffects(*list);
    });
  case DiscardRule::RunsOnce:
    return isOfConstantEnd(evaluation);
  case DiscardRule::OneTarget: {
    const auto *choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(stmt);
    return choice && evaluation.kind == EvaluationKind::Condition && hasOneTarget(*choice);
  }
  case DiscardRule::Unreached:
    return isUnreached(evaluation);
  default: // an excuse
    return false;
  }
  return false;
}

/// Which statements are in blocks that control can come to.
void Discards::findReached() {
  hasGraph_ = true;
  clang::CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  auto graph = clang::CFG::buildCFG(&function_, function_.getBody(), &clang_, options);
  if (!graph)
    return;
  llvm::DenseSet<const clang::CFGBlock *> blocks;
  std::vector<const clang::CFGBlock *> open = {&graph->getEntry()};
  while (!open.empty()) {
    const clang::CFGBlock *block = open.back();
    open.pop_back();
    if (!blocks.insert(block).second)
      continue;
    for (const clang::CFGBlock *next : block->succs())
      if (next)
        open.push_back(next);
  }
  for (const clang::CFGBlock *block : *graph) {
    auto &stmts = blocks.count(block) ? reached_ : unreached_;
    for (const clang::CFGElement &element : *block)
      if (auto stmt = element.getAs<clang::CFGStmt>())
        stmts.insert(stmt->getStmt());
    if (const Stmt *end = block->getTerminatorStmt())
      stmts.insert(end);
  }
}

bool Discards::isUnreached(const Evaluation &evaluation) {
  if (!function_.getBody())
    return false;
  if (!hasGraph_)
    findReached();
  bool isReached = false;
  bool isUnreached = anyFrame(evaluation, [&](const Frame &frame) {
    const Stmt *stmt = frame.at.context == 0 ? stmtOf(frame.at) : nullptr;
    isReached |= stmt && reached_.count(stmt);
    return stmt && !isReached && unreached_.count(stmt);
  });
  return isUnreached;
}

} // namespace colonnade::frontend::ledger

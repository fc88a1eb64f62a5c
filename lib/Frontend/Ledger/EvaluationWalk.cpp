//===- EvaluationWalk.cpp - Dispatch, by the rule of each node --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"

#include "Frontend/Types/ClangTypes.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using llvm::cast;
using llvm::dyn_cast;

namespace rules {
#define COLONNADE_NODE(Class, Rule) static constexpr NodeRule Class = NodeRule::Rule;
#include "Frontend/Ledger/NodeRules.def"
} // namespace rules

NodeRule ruleOf(Stmt::StmtClass kind) {
  switch (kind) {
  case Stmt::NoStmtClass:
    break;
#define ABSTRACT_STMT(CLASS)
#define STMT(CLASS, PARENT)                                                                        \
  case Stmt::CLASS##Class:                                                                         \
    return rules::CLASS;
#include "clang/AST/StmtNodes.inc"
  }
  return NodeRule::Refused;
}

EvaluationWalk::EvaluationWalk(const clang::FunctionDecl &function, SourceNodes &nodes,
                               const OperationIndex &operations)
    : function_(function), clang_(function.getASTContext()), nodes_(nodes),
      operations_(operations) {}

FunctionEvaluations EvaluationWalk::run() {
  result_.frames[0].at = here(&function_);
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&function_);
  if (method && method->getParent()->isLambda())
    method->getParent()->getCaptureFields(captures_, capturedThis_);
  parameters();
  if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&function_))
    constructorInitializers(*constructor);
  walk(function_.getBody());
  destructors();
  return std::move(result_);
}

Evaluation &EvaluationWalk::expect(Kind kind, ClangNode node) {
  result_.list.push_back({kind, keyOf(nodes_, here(node)), frame_, nullptr, false, std::nullopt});
  return result_.list.back();
}

void EvaluationWalk::walk(const Stmt *stmt) {
  if (!stmt)
    return;
  uint32_t outer = frame_;
  enter(stmt);
  apply(ruleOf(stmt->getStmtClass()), *stmt);
  frame_ = outer;
}

void EvaluationWalk::apply(NodeRule rule, const Stmt &stmt) {
  switch (rule) {
  case NodeRule::Nothing:
    return;
  case NodeRule::Children:
    return children(stmt);
  case NodeRule::Refused: // what is below it is discarded with it
    expect(Kind::Refusal, &stmt);
    return children(stmt);
  case NodeRule::Label:
  case NodeRule::Decl:
  case NodeRule::If:
  case NodeRule::For:
  case NodeRule::While:
  case NodeRule::Do:
  case NodeRule::RangeFor:
  case NodeRule::Switch:
  case NodeRule::Return:
  case NodeRule::Assembly:
    return statement(rule, stmt);
  default:
    return expression(rule, cast<Expr>(stmt));
  }
}

void EvaluationWalk::expression(NodeRule rule, const Expr &expr) {
  switch (rule) {
  case NodeRule::Chosen: {
    SourceNode chosen = keyOf(nodes_, here(&expr));
    return chosen.node == ClangNode(&expr) ? void(expect(Kind::Refusal, &expr))
                                           : walk(llvm::cast<const Stmt *>(chosen.node));
  }
  case NodeRule::Shared:
    return shared(expr);
  case NodeRule::Name:
    return name(cast<clang::DeclRefExpr>(expr));
  case NodeRule::Member:
    return member(cast<clang::MemberExpr>(expr));
  case NodeRule::Temporary:
    return temporary(cast<clang::MaterializeTemporaryExpr>(expr));
  case NodeRule::This:
    return self(cast<clang::CXXThisExpr>(expr));
  case NodeRule::Cast:
    return conversion(cast<clang::CastExpr>(expr));
  case NodeRule::Unary:
    return unary(cast<clang::UnaryOperator>(expr));
  case NodeRule::Binary:
    return binary(cast<clang::BinaryOperator>(expr));
  case NodeRule::CompoundAssignment:
    return compoundAssignment(cast<clang::CompoundAssignOperator>(expr));
  case NodeRule::Conditional:
    return conditional(cast<clang::AbstractConditionalOperator>(expr));
  case NodeRule::Size:
    return size(cast<clang::UnaryExprOrTypeTraitExpr>(expr));
  case NodeRule::Opaque:
    return knownOpaque_.count(&expr) ? void()
                                     : walk(cast<clang::OpaqueValueExpr>(expr).getSourceExpr());
  case NodeRule::Call:
    return call(cast<clang::CallExpr>(expr));
  case NodeRule::Construct:
    return construct(cast<clang::CXXConstructExpr>(expr));
  case NodeRule::Inherited:
    return inherited(cast<clang::CXXInheritedCtorInitExpr>(expr));
  case NodeRule::Destroyed: // the graph does not look into default arguments
    destroyed_[&expr] = frame_;
    expect(Kind::Refusal, &expr);
    return walk(cast<clang::CXXBindTemporaryExpr>(expr).getSubExpr());
  case NodeRule::Lambda:
    return captures(cast<clang::LambdaExpr>(expr));
  case NodeRule::InitList:
    return list(cast<clang::InitListExpr>(expr));
  case NodeRule::ParenList:
    return parenList(cast<clang::CXXParenListInitExpr>(expr));
  case NodeRule::ImplicitZero:
    return isAggregate(expr.getType()) ? zero(expr, expr.getType()) : void();
  case NodeRule::CompoundLiteral: {
    const auto &literal = cast<clang::CompoundLiteralExpr>(expr);
    if (!literal.isGLValue() && !isAggregate(literal.getType())) // C++: a value
      return walk(literal.getInitializer());
    return initialize(*literal.getInitializer(), literal.getType(), /*isPart=*/false);
  }
  case NodeRule::ArrayInitLoop:
    return elementLoop(cast<clang::ArrayInitLoopExpr>(expr));
  default:
    return void(expect(Kind::Refusal, &expr));
  }
}

FunctionEvaluations evaluationsOf(const clang::FunctionDecl &function, SourceNodes &nodes,
                                  const OperationIndex &operations) {
  return EvaluationWalk(function, nodes, operations).run();
}

} // namespace colonnade::frontend::ledger

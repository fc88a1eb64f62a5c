//===- ExitAnalysis.cpp - Which exits a statement may take ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/ExitAnalysis.h"

#include "clang/Analysis/Analyses/ReachableCode.h"
#include "clang/Analysis/CFG.h"

namespace colonnade::frontend {

using clang::Stmt;
using llvm::cast;

void ExitSet::append(const ExitSet &next) {
  breaks |= next.breaks;
  continues |= next.continues;
  returns |= next.returns;
  always |= next.always;
  labels |= next.labels;
}

ExitSet ExitAnalysis::of(const Stmt *stmt) {
  if (!stmt)
    return {};
  if (llvm::isa<clang::Expr>(stmt) && !llvm::isa<clang::StmtExpr>(stmt))
    return {};
  if (auto it = known_.find(stmt); it != known_.end())
    return it->second;
  ExitSet exits = compute(*stmt);
  known_[stmt] = exits;
  return exits;
}

ExitSet ExitAnalysis::compute(const Stmt &stmt) {
  ExitSet exits;
  exits.labels = llvm::isa<clang::LabelStmt>(stmt);
  switch (stmt.getStmtClass()) {
  case Stmt::BreakStmtClass:
    exits.breaks = exits.always = true;
    return exits;
  case Stmt::ContinueStmtClass:
    exits.continues = exits.always = true;
    return exits;
  case Stmt::ReturnStmtClass:
    exits.returns = exits.always = true;
    return exits;
  case Stmt::IfStmtClass: {
    const auto &branch = cast<clang::IfStmt>(stmt);
    ExitSet then = of(branch.getThen()), otherwise = of(branch.getElse());
    exits.append(then);
    exits.append(otherwise);
    exits.always = then.always && otherwise.always;
    return exits;
  }
  case Stmt::CXXTryStmtClass: // what a handler ends in does not end the statement
    return of(cast<clang::CXXTryStmt>(stmt).getTryBlock());
  case Stmt::DeclStmtClass:
    return exits;
  default:
    for (const Stmt *child : stmt.children())
      exits.append(of(child));
  }
  switch (stmt.getStmtClass()) {
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::CXXForRangeStmtClass:
    exits.breaks = exits.continues = exits.always = false;
    break;
  case Stmt::SwitchStmtClass:
    exits.breaks = exits.always = false;
    break;
  default:
    break;
  }
  return exits;
}

bool mayReachEnd(const clang::FunctionDecl &function) {
  auto graph = clang::CFG::buildCFG(&function, function.getBody(), &function.getASTContext(), {});
  if (!graph) // Clang has none for some functions
    return true;
  llvm::BitVector reached(graph->getNumBlockIDs());
  clang::reachable_code::ScanReachableFromBlock(&graph->getEntry(), reached);
  auto endsOtherwise = [&](const clang::CFGBlock *block) {
    if (!block || !reached[block->getBlockID()] || block->hasNoReturnElement())
      return true;
    return llvm::any_of(*block, [](const clang::CFGElement &element) {
      auto statement = element.getAs<clang::CFGStmt>();
      return statement && llvm::isa<clang::ReturnStmt>(statement->getStmt());
    });
  };
  return !llvm::all_of(graph->getExit().preds(), [&](const clang::CFGBlock::AdjacentBlock &from) {
    return endsOtherwise(from.getReachableBlock());
  });
}

} // namespace colonnade::frontend

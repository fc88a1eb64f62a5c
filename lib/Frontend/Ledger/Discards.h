//===- Discards.h - What need have no operation -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an evaluation for which an operation is missing. Out: the COLONNADE_DISCARD of
// Discards.def that says why none is needed; none: it is lost.
//
// Invariant: a rule holds by the language and Clang's own analyses alone. None says that
// something was looked at.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LEDGER_DISCARDS_H
#define COLONNADE_FRONTEND_LEDGER_DISCARDS_H

#include "Frontend/Ledger/Evaluations.h"

#include "llvm/ADT/DenseSet.h"

namespace colonnade::frontend::ledger {

/// The definition of a variable in any of the files; null: none is seen.
using DefinitionOf = llvm::function_ref<const clang::VarDecl *(const clang::VarDecl &)>;

class Discards {
public:
  Discards(const clang::FunctionDecl &function, const FunctionEvaluations &evaluations,
           SourceNodes &nodes, const OperationIndex &operations, DefinitionOf definitionOf);
  std::optional<DiscardRule> ruleFor(const Evaluation &evaluation);

private:
  bool applies(DiscardRule rule, const Evaluation &evaluation);
  bool anyFrame(const Evaluation &evaluation, llvm::function_ref<bool(const Frame &)> holds) const;
  bool isConstant(const Evaluation &evaluation) const;
  bool isConstantVariable(const Evaluation &evaluation) const;
  bool isWithinConstantInit(const Evaluation &evaluation) const;
  bool isWithinImmediate(const Evaluation &evaluation) const;
  bool isOfConstantEnd(const Evaluation &evaluation) const;
  bool isConstantValue(const clang::VarDecl &variable) const;
  bool hasSideEffects(const clang::InitListExpr &list);
  bool isUnreached(const Evaluation &evaluation);
  void findReached();

  const clang::FunctionDecl &function_;
  clang::ASTContext &clang_;
  const FunctionEvaluations &evaluations_;
  SourceNodes &nodes_;
  const OperationIndex &operations_;
  DefinitionOf definitionOf_;
  /// Statements in blocks of Clang's graph; built when first asked.
  bool hasGraph_ = false;
  llvm::DenseSet<const clang::Stmt *> reached_, unreached_;
  llvm::DenseMap<const clang::InitListExpr *, bool> sideEffects_;
};

} // namespace colonnade::frontend::ledger

#endif // COLONNADE_FRONTEND_LEDGER_DISCARDS_H

//===- Ledger.cpp - Nothing of the source is lost --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/Ledger.h"

#include "Frontend/Ledger/CopiedValues.h"
#include "Frontend/ModuleLowering.h"
#include "Frontend/Types/ClangTypes.h"

namespace colonnade::frontend::ledger {

using clang::FunctionDecl;

llvm::StringRef name(EvaluationKind kind) {
  switch (kind) {
  case EvaluationKind::Read:
    return "a read";
  case EvaluationKind::Write:
    return "a write";
  case EvaluationKind::Call:
    return "a call";
  case EvaluationKind::Condition:
    return "a condition";
  case EvaluationKind::Label:
    return "a label of a switch";
  case EvaluationKind::Refusal:
    return "a construct outside the subset";
  }
  return "";
}

static std::pair<uint32_t, void *> keyOf(const Evaluation &evaluation) {
  return {evaluation.key.context, evaluation.key.node.getOpaqueValue()};
}

namespace {
class Comparison {
public:
  Comparison(LoweredFunction &lowered, const ir::Module &module, DeclOf declOf,
             DefinitionOf definitionOf)
      : values_(module.memTypes), operations_(module.function(lowered.id), lowered.nodes),
        evaluations_(evaluationsOf(*lowered.decl, lowered.nodes, operations_)),
        discards_(*lowered.decl, evaluations_, lowered.nodes, operations_, definitionOf),
        declOf_(declOf) {
    for (const Evaluation &evaluation : evaluations_.list)
      reads_[keyOf(evaluation)] += evaluation.kind == EvaluationKind::Read && !evaluation.excuse;
  }
  std::vector<Entry> run();

private:
  unsigned available(const Evaluation &evaluation);
  unsigned copiesInPart(const Evaluation &evaluation, const Operations &operations);
  bool isCallOf(FunctionId id, const FunctionDecl &callee) const;
  clang::SourceLocation locationOf(const Evaluation &evaluation) const;

  CopiedValues values_;
  OperationIndex operations_;
  FunctionEvaluations evaluations_;
  Discards discards_;
  DeclOf declOf_;
  /// Reads that are expected at a key.
  llvm::DenseMap<std::pair<uint32_t, void *>, unsigned> reads_;
};
} // namespace

/// The very function, or its definition in another file.
bool Comparison::isCallOf(FunctionId id, const FunctionDecl &callee) const {
  const FunctionDecl *called = declOf_(id);
  return called && (called->getCanonicalDecl() == callee.getCanonicalDecl() ||
                    (&called->getASTContext() != &callee.getASTContext() &&
                     mangledName(*called) == mangledName(callee)));
}

/// Copies of an object that leave a value of it out.
unsigned Comparison::copiesInPart(const Evaluation &evaluation, const Operations &operations) {
  const auto *stmt = llvm::dyn_cast_if_present<const clang::Stmt *>(evaluation.key.node);
  const auto *expr = llvm::dyn_cast_or_null<clang::Expr>(stmt);
  if (!expr || !isAggregate(expr->getType())) // memcpy(): its type is the pointers'
    return 0;
  return llvm::count_if(operations.copies,
                        [&](MemTypeId copied) { return !values_.areAll(expr->getType(), copied); });
}

/// Operations that may stand for the evaluation.
unsigned Comparison::available(const Evaluation &evaluation) {
  const Operations &operations = operations_.at(evaluation.key);
  switch (evaluation.kind) {
  case EvaluationKind::Read:
    return operations.reads - copiesInPart(evaluation, operations);
  case EvaluationKind::Write:
    return operations.writes - copiesInPart(evaluation, operations);
  case EvaluationKind::Condition:
    return operations.conditions;
  case EvaluationKind::Label:
    return operations.comparisons;
  case EvaluationKind::Refusal:
    return operations.refusals;
  case EvaluationKind::Call:
    if (evaluation.byLibrary) // what is read at the place that it gives is another evaluation
      return operations.others + operations.writes + operations.conditions + operations.reads -
             std::min(operations.reads, reads_.lookup(keyOf(evaluation)));
    return llvm::count_if(operations.callees,
                          [&](FunctionId id) { return isCallOf(id, *evaluation.callee); });
  }
  return 0;
}

clang::SourceLocation Comparison::locationOf(const Evaluation &evaluation) const {
  if (const auto *stmt = llvm::dyn_cast_if_present<const clang::Stmt *>(evaluation.key.node)) {
    const auto *expr = llvm::dyn_cast<clang::Expr>(stmt);
    return expr ? expr->getExprLoc() : stmt->getBeginLoc();
  }
  return llvm::cast<const clang::Decl *>(evaluation.key.node)->getLocation();
}

std::vector<Entry> Comparison::run() {
  std::vector<Entry> entries;
  // What is left of each key's operations, by kind.
  llvm::DenseMap<std::pair<std::pair<uint32_t, void *>, unsigned>, unsigned> used;
  for (const Evaluation &evaluation : evaluations_.list) {
    Entry entry = {evaluation.kind, EntryState::Taken, DiscardRule::Refused,
                   locationOf(evaluation)};
    unsigned &taken = used[{keyOf(evaluation), static_cast<unsigned>(evaluation.kind)}];
    if (evaluation.excuse) {
      entry.state = EntryState::Discarded;
      entry.rule = *evaluation.excuse;
    } else if (taken < available(evaluation)) {
      // One Unsupported operation is enough for whatever is refused at its place.
      taken += evaluation.kind != EvaluationKind::Refusal;
    } else if (std::optional<DiscardRule> rule = discards_.ruleFor(evaluation)) {
      entry.state = EntryState::Discarded;
      entry.rule = *rule;
    } else {
      entry.state = EntryState::Lost;
    }
    entries.push_back(entry);
  }
  return entries;
}

std::vector<Entry> entriesOf(LoweredFunction &lowered, const ir::Module &module, DeclOf declOf,
                             DefinitionOf definitionOf) {
  return Comparison(lowered, module, declOf, definitionOf).run();
}

} // namespace colonnade::frontend::ledger

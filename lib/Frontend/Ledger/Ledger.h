//===- Ledger.h - Nothing of the source is lost -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what the language evaluates in a function (Evaluations.h) with the operations of
// its raw IR (Operations.h). An evaluation is taken only if operations of its kind stand for
// it, as many as there are evaluations, and a copy moves every value that the object has; else a
// rule of Discards.def must hold.
//
// In: a lowered function. Out: an entry for each evaluation; those that are lost.
// Invariant: default-deny. What is not known to be taken or discarded is lost.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LEDGER_LEDGER_H
#define COLONNADE_FRONTEND_LEDGER_LEDGER_H

#include "Frontend/Ledger/Discards.h"

namespace colonnade::frontend::ledger {

/// A function as lowering left it.
struct LoweredFunction {
  FunctionId id;
  const clang::FunctionDecl *decl;
  SourceNodes nodes;
  std::vector<const clang::VarDecl *> constants; // whose values stand in it
};

enum class EntryState : uint8_t { Taken, Discarded, Lost };

struct Entry {
  EvaluationKind kind;
  EntryState state = EntryState::Taken;
  DiscardRule rule = DiscardRule::Refused; // Discarded
  clang::SourceLocation loc;
};
llvm::StringRef name(EvaluationKind kind);

/// `declOf`: what a function of the module was lowered from.
using DeclOf = llvm::function_ref<const clang::FunctionDecl *(FunctionId)>;

std::vector<Entry> entriesOf(LoweredFunction &lowered, const ir::Module &module, DeclOf declOf,
                             DefinitionOf definitionOf);

} // namespace colonnade::frontend::ledger

#endif // COLONNADE_FRONTEND_LEDGER_LEDGER_H

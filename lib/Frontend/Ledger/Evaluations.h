//===- Evaluations.h - What the language evaluates in a function --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected side of the ledger: a walk over Clang's tree that names every read, write,
// call and condition which the language evaluates, by the rule that NodeRules.def gives to
// each class of node. It shares no code with lowering.
//
// In: a function's declaration. Out: its evaluations, and a frame for each node on the way,
// so that the nodes around an evaluation are known.
// Invariant: nothing is left out because lowering leaves it out. What need have no
// operation is said in Discards.def.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LEDGER_EVALUATIONS_H
#define COLONNADE_FRONTEND_LEDGER_EVALUATIONS_H

#include "Frontend/Ledger/DiscardRules.h"
#include "Frontend/Ledger/Operations.h"

namespace colonnade::frontend::ledger {

enum class EvaluationKind : uint8_t {
  Read,      // lvalue-to-rvalue conversion, +=, ++, copy of an object, reference member
  Write,     // =, +=, ++, each initialised variable, field and element
  Call,      // functions, constructors, operators, built-ins
  Condition, // if, loops, switch, ?:, && and ||
  Label,     // `case`: the value of the switch is compared with it
  Refusal,   // a construct outside the subset: an Unsupported operation
};

/// A node on the way to an evaluation.
struct Frame {
  uint32_t parent = 0; // 0: the function
  SourceNode at;
};

struct Evaluation {
  EvaluationKind kind;
  SourceNode key;                              // where its operations are
  uint32_t frame = 0;                          // the innermost node
  const clang::FunctionDecl *callee = nullptr; // Call
  bool byLibrary = false;                      // Call: any operation will do
  std::optional<DiscardRule> excuse;           // known to need no operation
};

struct FunctionEvaluations {
  std::vector<Frame> frames = {{}};
  std::vector<Evaluation> list;
};

/// `operations` decides only between forms of one library call.
FunctionEvaluations evaluationsOf(const clang::FunctionDecl &function, SourceNodes &nodes,
                                  const OperationIndex &operations);

} // namespace colonnade::frontend::ledger

#endif // COLONNADE_FRONTEND_LEDGER_EVALUATIONS_H

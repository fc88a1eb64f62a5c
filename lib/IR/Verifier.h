//===- Verifier.h - Structural and type rules of the IR ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every pass may rely on and must leave behind: ids in range, one owner per
// operation and region, the right terminators, definitions before uses, operand
// counts and types as Opcodes.def says, and only the operations of the stage.
//
// In: a function of any stage. Out: nothing, or an error that names the first fault.
// Invariant: any function whatever can be verified; the interpreter, printers and
// passes may be given only those that pass.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_VERIFIER_H
#define COLONNADE_IR_VERIFIER_H

#include "IR/Function.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::ir {

/// The breaches, one a line, the first 20 of them.
class MalformedFunction : public llvm::ErrorInfo<MalformedFunction> {
public:
  static char ID;
  MalformedFunction(LocId loc, std::string text) : loc(loc), text(std::move(text)) {}

  LocId loc; // of the first breach that has one
  std::string text;

  void log(llvm::raw_ostream &out) const override { out << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// Structural and type rules of the function's stage. Error: MalformedFunction.
llvm::Error verify(const Module &module, const Function &function);

} // namespace colonnade::ir

#endif // COLONNADE_IR_VERIFIER_H

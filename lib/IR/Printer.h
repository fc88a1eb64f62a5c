//===- Printer.h - Textual form of the IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The IR as text, and back; docs/ir.md shows the form.
//
// In: a module or function of any stage. Out: its text; or a module from a text.
// Invariant: print(parse(print(f))) == print(f).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_PRINTER_H
#define COLONNADE_IR_PRINTER_H

#include "IR/Function.h"
#include "IR/Verifier.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace colonnade::ir {

struct PrintOptions {
  bool locations = false; // loc("f.cpp":3:4) on operations, arrays and parameters
  /// Printed as a comment beside the operation, if not empty; may be absent.
  std::function<std::string(OpId)> note = {};
};

/// One function, preceded by the memory types it names.
void print(llvm::raw_ostream &out, const Module &module, const Function &function,
           PrintOptions options = {});
void print(llvm::raw_ostream &out, const Module &module, PrintOptions options = {});

/// Errors carry "line:column: what was expected".
llvm::Expected<Module> parseModule(llvm::StringRef text);

} // namespace colonnade::ir

#endif // COLONNADE_IR_PRINTER_H

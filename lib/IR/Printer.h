//===- Printer.h - Textual form of the IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// print(parse(print(f))) == print(f), for every stage. docs/ir.md shows the form.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_PRINTER_H
#define COLONNADE_IR_PRINTER_H

#include "IR/Function.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade::ir {

void print(llvm::raw_ostream &out, const Module &module, const Function &function);
void print(llvm::raw_ostream &out, const Module &module);

/// Errors carry "line:column: what was expected".
llvm::Expected<Module> parseModule(llvm::StringRef text);

/// Structural and type rules of the function's stage. Error lists all breaches.
llvm::Error verify(const Module &module, const Function &function);

} // namespace colonnade::ir

#endif // COLONNADE_IR_PRINTER_H

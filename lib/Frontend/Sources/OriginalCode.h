//===- OriginalCode.h - The original sources to LLVM code -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: source files with their flags, and callers: the text of a file that includes the one
// that defines the functions, and calls each. Out: one LLVM module with what the callers reach,
// as Clang's own code generator has it at -O0, with the line and column of each instruction.
//
// Invariant: the sources are parsed with the flags that the verdict rests on. Of the module's
// own names only the callers' are visible, so a function that is named like one of the C library
// is not called in its place; what no caller reaches is not there, and may call what is
// defined nowhere. No compiler is started.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_ORIGINALCODE_H
#define COLONNADE_FRONTEND_ORIGINALCODE_H

#include "Frontend/Frontend.h"

#include "llvm/IR/Module.h"

namespace colonnade {

struct OriginalCallers {
  std::vector<std::string> names; // extern "C"; at least one
  std::string text;               // of their file
  bool isC = false;               // the language of that file
  std::string definingFile;       // one of the source files, which it includes
};

/// The virtual path of the callers' file, which debug information names.
std::string callersPath(const OriginalCallers &callers);

/// Error: a file does not compile (Clang has printed why), or two define the same.
llvm::Expected<std::unique_ptr<llvm::Module>> originalCode(const FrontendOptions &options,
                                                           const OriginalCallers &callers,
                                                           llvm::LLVMContext &context);

} // namespace colonnade

#endif // COLONNADE_FRONTEND_ORIGINALCODE_H

//===- Explain.cpp - The long form of a diagnostic or verdict class -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Commands.h"
#include "Support/Diagnostics.h"
#include "Support/VerdictClass.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {

int runExplain(const Options &options) {
  if (std::optional<std::string_view> page = explain(options.diagnostic)) {
    llvm::outs() << *page;
    return Accepted;
  }
  llvm::errs() << "error: unknown diagnostic '" << options.diagnostic << "'; there are";
  for (const DiagnosticInfo &known : allDiagnostics())
    llvm::errs() << ' ' << known.id;
  llvm::errs() << ", and the classes " << verdictLetters() << '\n';
  return Failed;
}

} // namespace colonnade

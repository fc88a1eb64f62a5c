//===- Pipeline.h - Sources to verdicts -------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lowerSources ─▶ per function: normalize ─▶ deriveExtents ─▶ verifyOblivious
//
// The steps that check, emit, run and trace share. In: the options. Out: an Analysis, with
// every function's canonical IR and verdict, whatever became of the one before.
//
// Invariant: the IR is verified between the stages. A breach is our bug: the function is class
// U (OBL305), never judged. With COLONNADE_ABORT_ON_FAULT in the environment, as in the tests,
// such a verdict ends the process.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_PIPELINE_H
#define COLONNADE_DRIVER_PIPELINE_H

#include "Driver/Options/Options.h"
#include "Frontend/Frontend.h"

namespace colonnade {

/// A function for a range of sizes as GPUs run it (PadSizes.h); its verdict says what its kernels
/// need to know.
struct PaddedCode {
  ir::Function function;
  Verdict verdict;
  std::vector<uint64_t> mostCells; // by array
};

struct CheckedFunction {
  FunctionId entry;   // its raw function
  EntrySource source; // how it is called
  EntryFacts facts;   // those about it
  ir::Function canonical;
  Verdict verdict;
  std::string sizeSuffix = {}; // SizeVariant's; those of a function follow that for all sizes
  std::optional<PaddedCode> padded = {};   // for a range of sizes
  std::vector<std::string> sizeNotes = {}; // how, or why not; for the user
};

/// With --all: a function that could not be checked.
struct UncheckedFunction {
  FunctionId entry;
  std::string reason;
};

struct Analysis {
  ir::Module module;
  std::vector<CheckedFunction> functions; // in the order of -f
  std::vector<UncheckedFunction> unchecked;
  std::vector<std::string> dependencies;
  std::vector<std::string> unparsed; // of --all: errors about files that were left out
};

/// Judges one function. Errors: facts that do not fit it.
llvm::Expected<CheckedFunction> checkFunction(ir::Module &module, FunctionId entry,
                                              const EntryFacts &facts);

/// As the user gave them.
FrontendOptions frontendOptions(const Options &options);
/// The same, with the folders of Colonnade's own headers.
llvm::Expected<FrontendOptions> toolOptions(const Options &options);
llvm::Expected<FrontendResult> lower(const Options &options);
llvm::Expected<Analysis> analyse(const Options &options);

/// Exit code of one verdict under --allow and --error-on: the worst of its
/// findings that is not allowed.
ExitCode exitCode(const Verdict &verdict, const Options &options);

/// Prints `error: …` for each error in it, one line each; returns Failed.
ExitCode fail(llvm::Error error);

} // namespace colonnade

#endif // COLONNADE_DRIVER_PIPELINE_H

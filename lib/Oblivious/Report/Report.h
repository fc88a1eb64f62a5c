//===- Report.h - Verdicts as text, JSON and SARIF --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verdicts as text, JSON and SARIF.
//
// In: verdicts. Out: strings and JSON values. Source excerpts are read from the files
// named in the module's SourceMap; a file that cannot be read only loses its excerpts.
// Invariant: nothing is printed here. The JSON report is schema 1 (docs/command.md): it
// is extended, never broken.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_REPORT_H
#define COLONNADE_OBLIVIOUS_REPORT_H

#include "Oblivious/Oblivious.h"

#include "llvm/Support/JSON.h"

namespace colonnade {

/// One verified function; canonical, with extents derived.
struct ReportInput {
  const ir::Module *module = nullptr;
  const ir::Function *function = nullptr;
  const Verdict *verdict = nullptr;
  const llvm::json::Value *validation = nullptr; // what --validate found; null: nothing was asked
  const llvm::json::Value *witness = nullptr;    // what --witness found; likewise
};

/// A parameter as the user sees it, in source order.
struct ReportedParameter {
  std::string name;
  ir::Sharing sharing = ir::Sharing::Instance;
  const char *direction = "in"; // "in", "out", "inout"
  std::vector<SizeExpr> extents;
  bool extentsDerived = false;
  ir::ScalarType cell = ir::ScalarType::F32;
  SizeExpr bytesPerInstance; // 0 for uniform parameters
  LocId loc;
};
std::vector<ReportedParameter> reportedParameters(const ir::Module &module,
                                                  const ir::Function &function);

enum class Detail {
  Brief,   // warnings and errors, the verdict, what it assumes
  Verbose, // also branches and exits on data, parameters, the number of accesses
};

/// Findings as Clang prints diagnostics, each with its path as notes, and a
/// summary of the function.
std::string reportText(const ReportInput &input, Detail detail);

/// What a function lacks to be accepted, or to be run in bulk, in a few words: the options that
/// cure it, or the first finding of its class. Empty: nothing.
std::string missing(const ReportInput &input);

/// The text of {"schema":1,"functions":[...]}; `certificate`: the IR of the one
/// function's certificate, beside its verdict.
std::string reportJson(llvm::ArrayRef<ReportInput> inputs,
                       std::optional<llvm::StringRef> certificate = std::nullopt);

/// One element of these functions, and such a report of elements.
std::string functionJson(const ReportInput &input);
std::string reportJsonOf(llvm::ArrayRef<std::string> functions);

/// A SARIF 2.1.0 log with one run; paths are code flows.
llvm::json::Value reportSarif(llvm::ArrayRef<ReportInput> inputs, llvm::StringRef toolVersion);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_REPORT_H

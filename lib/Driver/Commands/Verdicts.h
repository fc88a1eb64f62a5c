//===- Verdicts.h - What the user is told about verdicts --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the commands do alike with an analysis. In: an analysis. Out: reports, by the printers
// of Oblivious/Report/Report.h, and the functions that may go on to generation.
//
// Invariant: nothing is generated for a function that is not accepted, and its report has been
// printed by then.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_VERDICTS_H
#define COLONNADE_DRIVER_VERDICTS_H

#include "Driver/Pipeline.h"
#include "Oblivious/Report/Report.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace colonnade {

ReportInput reportInput(const Analysis &analysis, const CheckedFunction &checked);
std::vector<ReportInput> reportInputs(const Analysis &analysis);

/// Prints the report of every function that is not accepted to standard error.
/// The highest exit code, without --allow: nothing else may be generated.
ExitCode reportRefusals(const Analysis &analysis);

/// Contents of f.bulk.json: schema 1, with the certificate's IR beside the report.
std::string certificateJson(const Analysis &analysis, const CheckedFunction &checked);

/// `value` as the text of a file: indented, with a final newline.
std::string fileText(const llvm::json::Value &value);

/// What emit, run and trace have in common: dumps if that is asked for; else `work`
/// with what is accepted, and its exit code. Refusals and errors are printed.
int withAccepted(const Options &options,
                 llvm::function_ref<llvm::Expected<int>(const Analysis &)> work);

/// The only function; error: there are several.
llvm::Expected<const CheckedFunction &> onlyFunction(const Analysis &analysis,
                                                     llvm::StringRef command);

} // namespace colonnade

#endif // COLONNADE_DRIVER_VERDICTS_H

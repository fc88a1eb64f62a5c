//===- Verdicts.cpp - What the user is told about verdicts ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Verdicts.h"

#include "Driver/Commands/Dump.h"
#include "IR/Printer.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {

ReportInput reportInput(const Analysis &analysis, const CheckedFunction &checked) {
  return {&analysis.module, &checked.canonical, &checked.verdict};
}

std::vector<ReportInput> reportInputs(const Analysis &analysis) {
  std::vector<ReportInput> inputs;
  for (const CheckedFunction &checked : analysis.functions)
    inputs.push_back(reportInput(analysis, checked));
  return inputs;
}

ExitCode reportRefusals(const Analysis &analysis) {
  ExitCode worst = Accepted;
  for (const CheckedFunction &checked : analysis.functions) {
    ExitCode code = exitCode(checked.verdict, Options());
    if (code != Accepted)
      llvm::errs() << reportText(reportInput(analysis, checked), Detail::Brief);
    worst = std::max(worst, code);
  }
  return worst;
}

std::string certificateJson(const Analysis &analysis, const CheckedFunction &checked) {
  std::string certificate;
  llvm::raw_string_ostream out(certificate);
  ir::print(out, analysis.module, checked.verdict.certificate);
  return reportJson(reportInput(analysis, checked), certificate);
}

std::string fileText(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", value) << '\n';
  return text;
}

int withAccepted(const Options &options,
                 llvm::function_ref<llvm::Expected<int>(const Analysis &)> work) {
  if (options.dump != Dump::None)
    return runDump(options);
  llvm::Expected<Analysis> analysis = analyse(options);
  if (!analysis)
    return fail(analysis.takeError());
  if (ExitCode code = reportRefusals(*analysis); code != Accepted)
    return code;
  llvm::Expected<int> code = work(*analysis);
  return code ? *code : static_cast<int>(fail(code.takeError()));
}

llvm::Expected<const CheckedFunction &> onlyFunction(const Analysis &analysis,
                                                     llvm::StringRef command) {
  if (analysis.functions.size() != 1)
    return llvm::createStringError(command + " takes one function; choose it with -f");
  return analysis.functions.front();
}

} // namespace colonnade

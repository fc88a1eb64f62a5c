//===- Verdicts.cpp - What the user is told about verdicts ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Verdicts.h"

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
      llvm::errs() << reportText(reportInput(analysis, checked));
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

} // namespace colonnade

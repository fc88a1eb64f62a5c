//===- Missing.cpp - What a function lacks, in a few words ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Report/Report.h"

namespace colonnade {

/// A message without its advice: up to the first semicolon.
static std::string headline(const SourceMap &sources, const Finding &finding) {
  llvm::StringRef text = llvm::StringRef(finding.message).split(';').first;
  text.consume_front("not supported: ");
  std::string line = finding.loc ? "line " + std::to_string(sources[finding.loc].line) + ": " : "";
  return line + text.str();
}

std::string missing(const ReportInput &input) {
  const Verdict &verdict = *input.verdict;
  std::vector<std::string> options;
  const Finding *first = nullptr;
  bool eachHasOption = true;
  for (const Finding &finding : verdict.findings) {
    if (finding.verdict != verdict.verdict)
      continue;
    for (const std::string &option : finding.options)
      if (!llvm::is_contained(options, option))
        options.push_back(option);
    if (!first)
      first = &finding;
    eachHasOption &= !finding.options.empty();
  }
  if (!isAccepted(verdict.verdict)) {
    bool cures = first && !first->options.empty() &&
                 (verdict.verdict == VerdictClass::K || verdict.verdict == VerdictClass::T ||
                  (verdict.verdict == VerdictClass::U && eachHasOption));
    if (cures)
      return llvm::join(options, " ");
    return first ? headline(input.module->sources, *first) : "";
  }
  options.clear(); // warnings do not have the class of the function
  for (const Finding &finding : verdict.findings)
    llvm::append_range(options, finding.options);
  if (!verdict.anyVarying)
    llvm::append_range(options, verdict.instanceOptions);
  return llvm::join(options, " ");
}

} // namespace colonnade

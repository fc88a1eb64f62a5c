//===- ReportSarif.cpp - Verdicts as a SARIF 2.1.0 log --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Report/Report.h"
#include "Support/Diagnostics.h"

namespace colonnade {

namespace json = llvm::json;

/// A URI reference: what RFC 3986 does not allow in a path is escaped.
static std::string uri(llvm::StringRef path) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (unsigned char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 llvm::StringRef("-._~/!$&'()*+,;=@").contains(c);
    if (plain)
      result += static_cast<char>(c);
    else
      result += {'%', digits[c >> 4], digits[c & 15]};
  }
  return path.starts_with("/") ? "file://" + result : result;
}

static json::Object sarifLocation(const SourceMap &sources, LocId id,
                                  llvm::StringRef message = {}) {
  json::Object object;
  if (id) {
    const SourceLocation &loc = sources[id];
    json::Object region{{"startLine", std::max(loc.line, 1u)},
                        {"startColumn", std::max(loc.column, 1u)}};
    object["physicalLocation"] =
        json::Object{{"artifactLocation", json::Object{{"uri", uri(sources.fileName(loc.file))}}},
                     {"region", std::move(region)}};
  }
  if (!message.empty())
    object["message"] = json::Object{{"text", json::fixUTF8(message)}};
  return object;
}

static json::Array rules() {
  json::Array rules;
  for (const DiagnosticInfo &info : allDiagnostics()) {
    json::Object rule{{"id", info.id},
                      {"shortDescription", json::Object{{"text", info.title}}},
                      {"defaultConfiguration", json::Object{{"level", name(info.severity)}}}};
    if (std::optional<std::string_view> page = explain(info.id))
      rule["help"] = json::Object{{"text", std::string(*page)}, {"markdown", std::string(*page)}};
    rules.push_back(std::move(rule));
  }
  return rules;
}

static json::Object result(const ReportInput &input, const Finding &finding) {
  const SourceMap &sources = input.module->sources;
  const DiagnosticInfo *info = findDiagnostic(finding.id);
  json::Object object{{"ruleId", finding.id},
                      {"level", name(info ? info->severity : Severity::Error)},
                      {"message", json::Object{{"text", json::fixUTF8(input.function->name + ": " +
                                                                      finding.message)}}},
                      {"locations", json::Array{sarifLocation(sources, finding.loc)}}};
  if (finding.path.empty())
    return object;
  json::Array steps;
  for (const PathStep &step : finding.path)
    steps.push_back(json::Object{{"location", sarifLocation(sources, step.loc, step.message)}});
  steps.push_back(json::Object{{"location", sarifLocation(sources, finding.loc, finding.message)}});
  json::Object flow{{"locations", std::move(steps)}};
  object["codeFlows"] = json::Array{json::Object{{"threadFlows", json::Array{std::move(flow)}}}};
  return object;
}

json::Value reportSarif(llvm::ArrayRef<ReportInput> inputs, llvm::StringRef toolVersion) {
  json::Array results;
  for (const ReportInput &input : inputs)
    for (const Finding &finding : input.verdict->findings)
      results.push_back(result(input, finding));
  json::Object driver{{"name", "colonnade"}, {"version", toolVersion}, {"rules", rules()}};
  json::Object run{{"tool", json::Object{{"driver", std::move(driver)}}},
                   {"columnKind", "utf16CodeUnits"},
                   {"results", std::move(results)}};
  return json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", json::Array{std::move(run)}}};
}

} // namespace colonnade

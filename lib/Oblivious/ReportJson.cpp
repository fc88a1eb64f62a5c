//===- ReportJson.cpp - Verdicts as JSON, schema 1 ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Report.h"

namespace colonnade {

namespace json = llvm::json;

/// JSON strings must be UTF-8; source text need not be.
static std::string utf8(llvm::StringRef text) { return json::fixUTF8(text); }

static json::Object location(const SourceMap &sources, LocId id) {
  json::Object object;
  if (!id)
    return json::Object{{"file", ""}, {"line", 0}, {"column", 0}};
  const SourceLocation &loc = sources[id];
  return json::Object{
      {"file", utf8(sources.fileName(loc.file))}, {"line", loc.line}, {"column", loc.column}};
}

static json::Object findingObject(const SourceMap &sources, const Finding &finding) {
  json::Array path;
  for (const PathStep &step : finding.path) {
    json::Object object = location(sources, step.loc);
    object["message"] = utf8(step.message);
    path.push_back(std::move(object));
  }
  return json::Object{{"id", finding.id},
                      {"class", std::string(1, letter(finding.verdict))},
                      {"message", utf8(finding.message)},
                      {"location", location(sources, finding.loc)},
                      {"path", std::move(path)}};
}

static json::Object parameterObject(const ReportedParameter &p) {
  json::Array extents;
  for (const SizeExpr &extent : p.extents)
    extents.push_back(extent.str());
  return json::Object{{"name", utf8(p.name)},
                      {"kind", p.sharing == ir::Sharing::Uniform ? "uniform" : "instance"},
                      {"direction", p.direction},
                      {"extents", std::move(extents)},
                      {"cell", ir::name(p.cell)},
                      {"bytes_per_instance", p.bytesPerInstance.str()}};
}

json::Object reportJsonFunction(const ReportInput &input) {
  const Verdict &verdict = *input.verdict;
  json::Array findings, parameters, assumptions;
  for (const Finding &finding : verdict.findings)
    findings.push_back(findingObject(input.module->sources, finding));
  for (const ReportedParameter &p : reportedParameters(*input.module, *input.function))
    parameters.push_back(parameterObject(p));
  for (const std::string &assumption : verdict.assumptions)
    assumptions.push_back(utf8(assumption));
  return json::Object{{"name", utf8(input.function->name)},
                      {"verdict", verdictWord(verdict.verdict)},
                      {"class", std::string(1, letter(verdict.verdict))},
                      {"findings", std::move(findings)},
                      {"parameters", std::move(parameters)},
                      {"assumptions", std::move(assumptions)},
                      {"accesses", verdict.accesses.str()}};
}

json::Value reportJson(llvm::ArrayRef<ReportInput> inputs) {
  json::Array functions;
  for (const ReportInput &input : inputs)
    functions.push_back(reportJsonFunction(input));
  return json::Object{{"schema", 1}, {"functions", std::move(functions)}};
}

} // namespace colonnade

//===- ReportJson.cpp - Verdicts as JSON, schema 1 ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written finding by finding: as one JSON value, the paths of a large function
// would take a hundred times the room of their text. Keys in alphabetical order.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Report/Report.h"

namespace colonnade {

namespace json = llvm::json;

/// JSON strings must be UTF-8; source text need not be.
static std::string utf8(llvm::StringRef text) { return json::fixUTF8(text); }

static json::Object jsonLocation(const SourceMap &sources, LocId id) {
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
    json::Object object = jsonLocation(sources, step.loc);
    object["message"] = utf8(step.message);
    path.push_back(std::move(object));
  }
  json::Array options;
  for (const std::string &option : finding.options)
    options.push_back(utf8(option));
  return json::Object{{"id", finding.id},
                      {"class", std::string(1, letter(finding.verdict))},
                      {"message", utf8(finding.message)},
                      {"location", jsonLocation(sources, finding.loc)},
                      {"options", std::move(options)},
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

static void writeFunction(json::OStream &out, const ReportInput &input,
                          std::optional<llvm::StringRef> certificate) {
  const Verdict &verdict = *input.verdict;
  out.object([&] {
    out.attribute("accesses", verdict.accesses().str());
    out.attributeObject("accesses_by_kind", [&] {
      for (size_t kind = 1; kind < NumAccessKinds; ++kind) // but all of them
        out.attribute(name(AccessKind(kind)), verdict.counts.ofKind[kind].str());
    });
    if (!verdict.counts.where.empty())
      out.attributeArray("accesses_where", [&] {
        for (const SizeExpr &size : verdict.counts.where)
          out.value(size.str() + " >= 0");
      });
    out.attributeArray("assumptions", [&] {
      for (const std::string &assumption : verdict.assumptions)
        out.value(utf8(assumption));
    });
    if (certificate)
      out.attribute("certificate", *certificate);
    out.attribute("class", std::string(1, letter(verdict.verdict)));
    out.attributeArray("findings", [&] {
      for (const Finding &finding : verdict.findings)
        out.value(findingObject(input.module->sources, finding));
    });
    if (!certificate) {
      out.attribute("location", jsonLocation(input.module->sources, input.function->loc));
      out.attribute("missing", utf8(missing(input)));
    }
    out.attribute("name", utf8(input.function->name));
    out.attributeArray("parameters", [&] {
      for (const ReportedParameter &p : reportedParameters(*input.module, *input.function))
        out.value(parameterObject(p));
    });
    if (input.validation)
      out.attribute("validation", *input.validation);
    out.attribute("verdict", name(outcome(verdict.verdict)));
    if (input.witness)
      out.attribute("witness", *input.witness);
  });
}

std::string functionJson(const ReportInput &input) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, 2);
  writeFunction(out, input, std::nullopt);
  return text;
}

std::string reportJsonOf(llvm::ArrayRef<std::string> functions) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, 2);
  out.object([&] {
    out.attributeArray("functions", [&] {
      for (const std::string &function : functions)
        out.rawValue(function);
    });
    out.attribute("schema", 1);
  });
  stream << '\n';
  return text;
}

std::string reportJson(llvm::ArrayRef<ReportInput> inputs,
                       std::optional<llvm::StringRef> certificate) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, 2);
  out.object([&] {
    out.attributeArray("functions", [&] {
      for (const ReportInput &input : inputs)
        writeFunction(out, input, certificate);
    });
    out.attribute("schema", 1);
  });
  stream << '\n';
  return text;
}

} // namespace colonnade

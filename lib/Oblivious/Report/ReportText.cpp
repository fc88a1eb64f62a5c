//===- ReportText.cpp - Verdicts as Clang-style diagnostics ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Report/Report.h"

#include "Support/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace colonnade {

std::vector<ReportedParameter> reportedParameters(const ir::Module &module,
                                                  const ir::Function &function) {
  std::vector<ReportedParameter> parameters;
  for (const ir::Array &array : function.arrays) {
    if (!array.isPassed())
      continue;
    ReportedParameter p;
    p.name = array.name;
    p.sharing = array.sharing;
    p.direction = array.writes ? (array.reads ? "inout" : "out") : "in";
    p.extents = array.extents;
    p.extentsDerived = array.extentsDerived;
    p.cell = array.cell;
    p.loc = array.loc;
    p.bytesPerInstance = SizeExpr::constant(0);
    if (array.sharing == ir::Sharing::Instance) {
      p.bytesPerInstance = SizeExpr::constant(ir::sizeBytes(array.cell));
      for (const SizeExpr &extent : array.extents)
        p.bytesPerInstance =
            extent.known() && p.bytesPerInstance.known() ? p.bytesPerInstance * extent : SizeExpr();
    }
    parameters.push_back(std::move(p));
  }
  for (const ir::ScalarParam &scalar : function.scalars) {
    ReportedParameter p;
    p.name = scalar.name;
    p.sharing = ir::Sharing::Uniform;
    p.cell = function.value(scalar.value).type;
    p.bytesPerInstance = SizeExpr::constant(0);
    p.loc = scalar.loc;
    parameters.push_back(std::move(p));
  }
  auto position = [&](const ReportedParameter &p) {
    if (!p.loc)
      return std::tuple(UINT32_MAX, UINT32_MAX, UINT32_MAX);
    const SourceLocation &loc = module.sources[p.loc];
    return std::tuple(loc.file, loc.line, loc.column);
  };
  std::stable_sort(parameters.begin(), parameters.end(),
                   [&](const auto &a, const auto &b) { return position(a) < position(b); });
  return parameters;
}

namespace {

/// Lines of the source files, read once each.
class Excerpts {
public:
  explicit Excerpts(const SourceMap &sources) : sources_(sources) {}

  /// The line of `loc` and a caret below its column; empty if not readable.
  std::string excerpt(LocId id) {
    if (!id)
      return {};
    const SourceLocation &loc = sources_[id];
    const std::vector<std::string> &lines = linesOf(loc.file);
    if (loc.line == 0 || loc.line > lines.size())
      return {};
    const std::string &line = lines[loc.line - 1];
    if (loc.column == 0 || loc.column > line.size() + 1)
      return {};
    return clipped(line, loc.column - 1);
  }

private:
  static constexpr size_t MaxShown = 200; // columns of a line, so that a report stays small

  /// What of `line` is shown around `column`, and the caret below.
  static std::string clipped(const std::string &line, size_t column) {
    if (line.size() <= MaxShown)
      return line + "\n" + std::string(column, ' ') + "^\n";
    size_t from = column > MaxShown / 2 ? column - MaxShown / 2 : 0;
    std::string before = from ? "..." : "";
    std::string after = from + MaxShown < line.size() ? "..." : "";
    return before + line.substr(from, MaxShown) + after + "\n" +
           std::string(before.size() + column - from, ' ') + "^\n";
  }

  const std::vector<std::string> &linesOf(uint32_t file) {
    auto [it, fresh] = files_.try_emplace(file);
    if (!fresh)
      return it->second;
    auto buffer = llvm::MemoryBuffer::getFile(sources_.fileName(file));
    if (!buffer)
      return it->second;
    llvm::SmallVector<llvm::StringRef, 0> lines;
    (*buffer)->getBuffer().split(lines, '\n');
    for (llvm::StringRef line : lines) {
      it->second.push_back(line.rtrim('\r').str());
      // A tab counts as one column, so show it as one.
      std::replace(it->second.back().begin(), it->second.back().end(), '\t', ' ');
    }
    return it->second;
  }

  const SourceMap &sources_;
  std::map<uint32_t, std::vector<std::string>> files_;
};

class TextReporter {
public:
  TextReporter(const ReportInput &input, Detail detail)
      : input_(input), detail_(detail), excerpts_(input.module->sources), out_(text_) {}

  std::string run() {
    for (const Finding &finding : input_.verdict->findings) {
      Severity severity = severityOf(finding);
      if (severity != Severity::Note || detail_ == Detail::Verbose)
        print(finding, severity);
    }
    printSummary();
    return std::move(text_);
  }

private:
  static Severity severityOf(const Finding &finding) {
    const DiagnosticInfo *info = findDiagnostic(finding.id);
    return info ? info->severity : Severity::Error;
  }

  void line(LocId loc, const char *kind, llvm::StringRef message, llvm::StringRef suffix) {
    out_ << input_.module->sources.str(loc) << ": " << kind << ": " << message << suffix << '\n'
         << excerpts_.excerpt(loc);
  }

  void print(const Finding &finding, Severity severity) {
    std::string suffix = " [" + finding.id;
    if (finding.verdict != VerdictClass::A)
      suffix += std::string(", class ") + letter(finding.verdict);
    line(finding.loc, name(severity), finding.message, suffix + "]");
    for (const PathStep &step : finding.path)
      line(step.loc, "note", step.message, "");
  }

  void printParameter(const ReportedParameter &p) {
    out_ << "  " << p.name << ": " << (p.sharing == ir::Sharing::Uniform ? "uniform" : "instance")
         << ", " << p.direction << ", " << ir::name(p.cell);
    for (const SizeExpr &extent : p.extents)
      out_ << '[' << extent.str() << ']';
    if (p.extentsDerived)
      out_ << " (extent derived from the accesses)";
    out_ << '\n';
  }

  void printSummary() {
    const Verdict &verdict = *input_.verdict;
    out_ << input_.function->name << ": " << name(outcome(verdict.verdict)) << ", class "
         << letter(verdict.verdict) << '\n';
    if (!verdict.anyVarying)
      out_ << "  it reads no instance data: every instance does the same"
           << (verdict.instanceOptions.empty()
                   ? ""
                   : "; of these, add what differs: " + llvm::join(verdict.instanceOptions, " "))
           << '\n';
    if (!isAccepted(verdict.verdict))
      return;
    if (detail_ == Detail::Verbose)
      printInterface();
    for (const std::string &assumption : verdict.assumptions)
      out_ << "  assumes: " << assumption << '\n';
  }

  void printInterface() {
    const Verdict &verdict = *input_.verdict;
    for (const ReportedParameter &p : reportedParameters(*input_.module, *input_.function))
      printParameter(p);
    out_ << "  accesses per instance: "
         << (verdict.accesses().known() ? verdict.accesses().str() : "no closed form");
    for (size_t i = 0; verdict.accesses().known() && i < verdict.counts.where.size(); ++i)
      out_ << (i == 0 ? ", where " : " and ") << verdict.counts.where[i].str() << " >= 0";
    out_ << '\n';
    for (AccessKind kind :
         {AccessKind::Load, AccessKind::Store, AccessKind::Conditional, AccessKind::Scalar,
          AccessKind::Local, AccessKind::Uniform, AccessKind::Table})
      if (const SizeExpr &count = verdict.counts.ofKind[size_t(kind)];
          count.known() && !count.isConstant(0))
        out_ << "    " << name(kind) << ": " << count.str() << '\n';
  }

  const ReportInput &input_;
  Detail detail_;
  Excerpts excerpts_;
  std::string text_;
  llvm::raw_string_ostream out_;
};

} // namespace

std::string reportText(const ReportInput &input, Detail detail) {
  return TextReporter(input, detail).run();
}

} // namespace colonnade

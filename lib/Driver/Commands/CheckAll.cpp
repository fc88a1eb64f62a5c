//===- CheckAll.cpp - A table of every function's verdict -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `check --all FILE…` looks at the named files together, so that their functions call each
// other, but for those that do not compile; `check --all -p BUILD` at each file of the project by
// itself, which needs the memory of one; of a body that another file has, the table says which. A
// file that does not compile, or a function that cannot be checked, is an error with a line of its
// own, and the others are checked all the same.
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"
#include "Driver/Commands/Commands.h"
#include "Driver/Commands/Verdicts.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

struct Row {
  std::string name;
  unsigned line = 0;
  Outcome outcome = Outcome::Accept;
  char letter = 'A';
  std::string missing;
};

class Table {
public:
  explicit Table(const Options &options) : options_(options) {}

  void check(const std::vector<std::string> &files);
  void print(llvm::raw_ostream &out) const;
  std::string json() const { return reportJsonOf(functions_); }
  ExitCode worst() const { return worst_; }

private:
  std::string missingOf(const Row &row) const;
  void add(const Analysis &analysis, const CheckedFunction &checked);
  void failed(llvm::Error error) { worst_ = std::max(worst_, fail(std::move(error))); }

  const Options &options_;
  std::map<std::string, std::vector<Row>> rows_; // by file
  std::vector<std::string> functions_;           // as JSON
  ExitCode worst_ = Accepted;
};

} // namespace

void Table::check(const std::vector<std::string> &files) {
  Options options = options_;
  options.files = files;
  llvm::Expected<Analysis> analysis = analyse(options);
  if (!analysis)
    return failed(analysis.takeError());
  for (const CheckedFunction &checked : analysis->functions)
    add(*analysis, checked);
  for (const std::string &error : analysis->unparsed)
    failed(llvm::createStringError(error));
  for (const UncheckedFunction &unchecked : analysis->unchecked)
    failed(llvm::createStringError("'" + analysis->module.function(unchecked.entry).name +
                                   "': " + unchecked.reason));
}

void Table::add(const Analysis &analysis, const CheckedFunction &checked) {
  ReportInput input = reportInput(analysis, checked);
  const VerdictClass verdict = checked.verdict.verdict;
  const SourceMap &sources = analysis.module.sources;
  Row row{checked.canonical.name, 0, outcome(verdict), letter(verdict), missing(input)};
  std::string file;
  if (LocId loc = checked.canonical.loc) {
    row.line = sources[loc].line;
    file = sources.fileName(sources[loc].file);
  }
  rows_[file].push_back(std::move(row));
  if (!options_.jsonPath.empty())
    functions_.push_back(functionJson(input));
  worst_ = std::max(worst_, exitCode(checked.verdict, options_));
}

/// What is missing; of a body, also which file of the project has it.
std::string Table::missingOf(const Row &row) const {
  llvm::StringRef callee = row.missing;
  if (!callee.contains("', which has no visible body"))
    return row.missing;
  callee = callee.split("call of '").second.split("', which").first;
  for (const auto &[file, rows] : rows_)
    for (const Row &other : rows)
      if (other.name == callee)
        return row.missing + ", but is in " + file + ": name both files";
  return row.missing;
}

void Table::print(llvm::raw_ostream &out) const {
  size_t width = 8, counts[3] = {};
  for (const auto &[file, rows] : rows_)
    for (const Row &row : rows)
      width = std::max(width, row.name.size());
  for (const auto &[file, rows] : rows_) {
    out << file << '\n';
    for (const Row &row : rows) {
      std::string text = llvm::formatv("{0,5}  {1}{2}  {3,-11}  {4}  {5}", row.line, row.name,
                                       std::string(width - row.name.size(), ' '), name(row.outcome),
                                       row.letter, missingOf(row));
      out << llvm::StringRef(text).rtrim() << '\n';
      counts[static_cast<size_t>(row.outcome)] += 1;
    }
  }
  out << counts[0] + counts[1] + counts[2] << " functions: " << counts[0] << " accepted, "
      << counts[1] << " rejected, " << counts[2] << " unsupported\n";
}

int runCheckAll(const Options &options) {
  Table table(options);
  if (!options.files.empty()) {
    table.check(options.files);
  } else {
    llvm::Expected<std::vector<std::string>> files = projectFiles(options.buildPath);
    if (!files)
      return fail(files.takeError());
    for (const std::string &file : *files)
      table.check({file});
  }
  table.print(isStandardOutput(options.jsonPath) ? llvm::errs() : llvm::outs());
  if (options.jsonPath == "-") {
    llvm::outs() << table.json();
  } else if (!options.jsonPath.empty()) {
    AtomicOutput output;
    if (llvm::Error error = output.add(options.jsonPath, table.json()))
      return fail(std::move(error));
    if (llvm::Error error = output.commit())
      return fail(std::move(error));
  }
  return table.worst();
}

} // namespace colonnade

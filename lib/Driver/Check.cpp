//===- Check.cpp - Say whether functions are oblivious --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports of accepted functions go to standard output, of the others to standard
// error; with `--json -`, standard output has the JSON alone.
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"
#include "Driver/Commands.h"
#include "Driver/Dump.h"
#include "Driver/Pipeline.h"
#include "Driver/Verdicts.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

llvm::Error writeReports(const Analysis &analysis, const Options &options) {
  std::vector<ReportInput> inputs = reportInputs(analysis);
  AtomicOutput output;
  auto add = [&](const std::string &path, std::string text) -> llvm::Error {
    if (path != "-")
      return output.add(path, std::move(text));
    llvm::outs() << text;
    return llvm::Error::success();
  };
  if (!options.jsonPath.empty())
    if (llvm::Error error = add(options.jsonPath, reportJson(inputs)))
      return error;
  if (!options.sarifPath.empty())
    if (llvm::Error error =
            add(options.sarifPath, fileText(reportSarif(inputs, COLONNADE_VERSION))))
      return error;
  return output.commit();
}

} // namespace

int runCheck(const Options &options) {
  if (options.all)
    return runCheckAll(options);
  if (options.dump != Dump::None)
    return runDump(options);
  llvm::Expected<Analysis> analysis = analyse(options);
  if (!analysis)
    return fail(analysis.takeError());

  bool outputTaken = options.jsonPath == "-" || options.sarifPath == "-";
  ExitCode worst = Accepted;
  for (const CheckedFunction &checked : analysis->functions) {
    ExitCode code = exitCode(checked.verdict, options);
    worst = std::max(worst, code);
    llvm::raw_ostream &out = code == Accepted && !outputTaken ? llvm::outs() : llvm::errs();
    out << reportText(reportInput(*analysis, checked),
                      options.verbose ? Detail::Verbose : Detail::Brief);
  }
  if (llvm::Error error = writeReports(*analysis, options))
    return fail(std::move(error));
  return worst;
}

} // namespace colonnade

//===- Check.cpp - Say whether functions are oblivious --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports of accepted functions go to standard output, of the others to standard
// error; with `--json -` or `--json /dev/stdout`, standard output has the JSON alone.
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"
#include "Driver/Commands/Commands.h"
#include "Driver/Commands/Dump.h"
#include "Driver/Commands/Validate.h"
#include "Driver/Commands/Verdicts.h"
#include "Driver/Commands/Witnesses.h"
#include "Driver/Pipeline.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

/// What --validate and --witness found, by position of the function.
using Validations = std::map<size_t, ValidationReport>;
using Witnesses = std::map<size_t, WitnessReport>;

llvm::Error writeReports(const Analysis &analysis, const Validations &validations,
                         const Witnesses &witnesses, const Options &options) {
  std::vector<ReportInput> inputs = reportInputs(analysis);
  for (const auto &[position, report] : validations)
    inputs[position].validation = &report.json;
  for (const auto &[position, report] : witnesses)
    inputs[position].witness = &report.json;
  AtomicOutput output;
  if (!options.jsonPath.empty())
    if (llvm::Error error = output.addReport(options.jsonPath, reportJson(inputs)))
      return error;
  if (!options.sarifPath.empty())
    if (llvm::Error error =
            output.addReport(options.sarifPath, fileText(reportSarif(inputs, COLONNADE_VERSION))))
      return error;
  return output.commit();
}

/// --validate: of what is accepted.
llvm::Expected<Validations> validateAccepted(const Options &options, Analysis &analysis) {
  std::vector<const CheckedFunction *> accepted;
  std::vector<size_t> positions;
  for (auto [i, checked] : llvm::enumerate(analysis.functions))
    if (isAccepted(checked.verdict.verdict)) {
      accepted.push_back(&checked);
      positions.push_back(i);
    }
  auto reports = validateFunctions(options, analysis.module, accepted);
  if (!reports)
    return reports.takeError();
  Validations validations;
  for (auto [position, report] : llvm::zip(positions, *reports))
    validations.emplace(position, std::move(report));
  return validations;
}

/// --witness: of what is refused, also where a construct is unsupported besides; what is accepted
/// has none.
llvm::Expected<Witnesses> witnessReports(const Options &options, Analysis &analysis) {
  Witnesses witnesses;
  for (auto [i, checked] : llvm::enumerate(analysis.functions)) {
    auto report = witnessReport(options, analysis.module, checked);
    if (!report)
      return report.takeError();
    witnesses.emplace(i, std::move(*report));
  }
  return witnesses;
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

  bool outputTaken = isStandardOutput(options.jsonPath) || isStandardOutput(options.sarifPath);
  ExitCode worst = Accepted;
  for (const CheckedFunction &checked : analysis->functions) {
    ExitCode code = exitCode(checked.verdict, options);
    worst = std::max(worst, code);
    llvm::raw_ostream &out = code == Accepted && !outputTaken ? llvm::outs() : llvm::errs();
    out << reportText(reportInput(*analysis, checked),
                      options.verbose ? Detail::Verbose : Detail::Brief);
  }
  Validations validations;
  if (options.validate) {
    llvm::Expected<Validations> found = validateAccepted(options, *analysis);
    if (!found)
      return fail(found.takeError());
    validations = std::move(*found);
  }
  for (const auto &[position, report] : validations) {
    (report.isValidated && !outputTaken ? llvm::outs() : llvm::errs()) << report.text;
    if (!report.isValidated) // a difference, or nothing to compare
      worst = std::max(worst, Rejected);
  }
  Witnesses witnesses;
  if (options.witnessSeconds) {
    llvm::Expected<Witnesses> found = witnessReports(options, *analysis);
    if (!found)
      return fail(found.takeError());
    witnesses = std::move(*found);
  }
  for (const auto &[position, report] : witnesses)
    llvm::errs() << report.text;
  if (llvm::Error error = writeReports(*analysis, validations, witnesses, options))
    return fail(std::move(error));
  return worst;
}

} // namespace colonnade

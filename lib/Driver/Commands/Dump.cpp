//===- Dump.cpp - Print a stage's result ----------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Dump.h"

#include "Driver/Commands/Verdicts.h"
#include "Driver/Generate.h"

#include "Driver/Pipeline.h"
#include "Emit/BackEnds.h"
#include "IR/Printer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

std::string uniformityOf(const ir::Function &function, const Uniformity &uniformity, OpId id) {
  std::string text;
  auto add = [&](bool holds, const char *fact) {
    if (holds)
      text += (text.empty() ? "" : ", ") + std::string(fact);
  };
  const ir::Op &op = function.op(id);
  add(uniformity.divergent[id.index], "divergent");
  add(uniformity.underMask[id.index], "masked");
  add(llvm::any_of(op.results, [&](ValueId v) { return uniformity.varying[v.index]; }), "varying");
  return text;
}

/// The canonical function with what is not "uniform, reconverged, unmasked" as
/// comments.
void printFacts(llvm::raw_ostream &out, const ir::Module &module, const CheckedFunction &checked) {
  const ir::Function &function = checked.canonical;
  const Uniformity &uniformity = checked.verdict.uniformity;
  out << "// facts of " << function.name << '\n';
  for (auto [i, array] : llvm::enumerate(function.arrays))
    out << "// array " << array.name << ": " << (uniformity.arrayVarying[i] ? "varying" : "uniform")
        << '\n';
  ir::PrintOptions options;
  options.note = [&](OpId id) { return uniformityOf(function, uniformity, id); };
  ir::print(out, module, function, options);
}

/// As emit has them, with the plans of a tuning file if there is one.
llvm::Error printEmitted(const Analysis &analysis, const CheckedFunction &checked,
                         const PlanSource &source) {
  for (const BackEnd &backEnd : backEnds()) {
    auto kernels = kernelsFor(backEnd, analysis, checked, {source.rows});
    if (!kernels)
      return kernels.takeError();
    if (source.tuning && backEnd.emit)
      source.tuning->apply(analysis, checked, *kernels);
    addForecasts(analysis.module, checked.verdict.certificate, kernels->kernels);
    for (const ir::Function &kernel : kernels->kernels) {
      llvm::outs() << "// " << backEnd.name << '\n';
      ir::print(llvm::outs(), analysis.module, kernel);
    }
  }
  return llvm::Error::success();
}

int dumpTunedKernels(const Options &options, const Analysis &analysis) {
  llvm::Expected<Tuning> tuning = Tuning::read(options.tuningPath, options.gpu);
  if (!tuning)
    return fail(tuning.takeError());
  for (const CheckedFunction &checked : analysis.functions)
    if (llvm::Error error = printEmitted(analysis, checked, {{}, &*tuning}))
      return fail(std::move(error));
  for (const std::string &note : tuning->notes())
    llvm::errs() << "note: " << note << '\n';
  return Accepted;
}

int dumpLowered(const Options &options) {
  llvm::Expected<FrontendResult> lowered = lower(options);
  if (!lowered)
    return fail(lowered.takeError());
  if (options.dump == Dump::Ledger)
    llvm::outs() << lowered->ledger;
  else
    ir::print(llvm::outs(), lowered->module);
  return Accepted;
}

} // namespace

llvm::Error printKernels(llvm::raw_ostream &out, const ir::Module &module,
                         const ir::Function &canonical, const Verdict &verdict,
                         const RowPlan &rows) {
  const RowPrice price(module, verdict.certificate);
  for (const BackEnd &backEnd : backEnds()) {
    auto kernels = backEnd.lower(module, canonical, verdict, {&price, {rows}});
    if (!kernels)
      return refusedPlan(module, canonical, rows, kernels.takeError());
    addForecasts(module, verdict.certificate, *kernels);
    for (const ir::Function &kernel : *kernels) {
      out << "// " << backEnd.name << '\n';
      ir::print(out, module, kernel);
    }
  }
  return llvm::Error::success();
}

/// Code for all sizes beside that for some has no plan that needs them.
static llvm::Error printKernelsOf(const Analysis &analysis, const CheckedFunction &checked,
                                  const Options &options) {
  if (!checked.sizeNotes.empty())
    return printEmitted(analysis, checked, {options.rowPlan});
  const bool isGeneral = checked.sizeSuffix.empty() && !options.facts.sizeLists.empty();
  return printKernels(llvm::outs(), analysis.module, checked.canonical, checked.verdict,
                      isGeneral ? RowPlan{} : options.rowPlan);
}

int runDump(const Options &options) {
  if (options.dump == Dump::Raw || options.dump == Dump::Ledger)
    return dumpLowered(options);
  llvm::Expected<Analysis> analysis = analyse(options);
  if (!analysis)
    return fail(analysis.takeError());

  if (options.dump == Dump::Kernel && !options.tuningPath.empty())
    if (ExitCode code = reportRefusals(*analysis); code == Accepted)
      return dumpTunedKernels(options, *analysis);
  ExitCode worst = Accepted;
  for (const CheckedFunction &checked : analysis->functions) {
    ExitCode code = exitCode(checked.verdict, options);
    worst = std::max(worst, code);
    if (options.dump == Dump::Ir)
      ir::print(llvm::outs(), analysis->module, checked.canonical);
    else if (options.dump == Dump::Facts)
      printFacts(llvm::outs(), analysis->module, checked);
    else if (options.dump == Dump::Certificate)
      ir::print(llvm::outs(), analysis->module, checked.verdict.certificate);
    else if (code == Accepted) {
      if (llvm::Error error = printKernelsOf(*analysis, checked, options))
        return fail(std::move(error));
    } else
      llvm::errs() << "error: '" << checked.canonical.name
                   << "' is not accepted, so it has no kernel\n";
  }
  return worst;
}

} // namespace colonnade

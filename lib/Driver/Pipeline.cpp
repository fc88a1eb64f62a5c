//===- Pipeline.cpp - Sources to verdicts ---------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Pipeline.h"

#include "Driver/Generate.h"
#include "Driver/Options/FactSelection.h"
#include "Driver/Runner/Resources.h"
#include "Driver/SizeVariants.h"
#include "IR/Builder.h"
#include "IR/Verifier.h"
#include "Oblivious/Ranges/ProvenChecks.h"
#include "Support/Diagnostics.h"
#include "Transform/Padding/PadSizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <set>

namespace colonnade {
namespace {

llvm::Error checkReadable(const std::string &file) {
  if (llvm::sys::fs::is_directory(file))
    return llvm::createStringError("cannot read '" + file + "': it is a folder");
  auto descriptor = llvm::sys::fs::openNativeFileForRead(file);
  if (!descriptor)
    return llvm::createStringError("cannot read '" + file +
                                   "': " + llvm::toString(descriptor.takeError()));
  llvm::sys::fs::file_t handle = *descriptor;
  llvm::sys::fs::closeFile(handle);
  return llvm::Error::success();
}

/// The breach of `function`, if it has one.
std::optional<ir::MalformedFunction> breachOf(const ir::Module &module,
                                              const ir::Function &function) {
  std::optional<ir::MalformedFunction> breach;
  llvm::handleAllErrors(ir::verify(module, function),
                        [&](const ir::MalformedFunction &found) { breach = found; });
  return breach;
}

/// The breach of a raw function that `entry` reaches.
std::optional<ir::MalformedFunction> breachBelow(const ir::Module &module, FunctionId entry) {
  std::vector<FunctionId> work = {entry};
  std::set<FunctionId> seen = {entry};
  while (!work.empty()) {
    const ir::Function &function = module.function(work.back());
    work.pop_back();
    if (std::optional<ir::MalformedFunction> breach = breachOf(module, function))
      return breach;
    for (const ir::Op &op : function.ops)
      if (op.opcode == ir::Opcode::Call && seen.insert(op.callee).second)
        work.push_back(op.callee);
  }
  return std::nullopt;
}

/// In place of a malformed function, which is a bug of ours: one that is refused for it.
CheckedFunction refused(const ir::Module &module, FunctionId entry, const EntryFacts &facts,
                        const ir::MalformedFunction &breach) {
  const ir::Function &raw = module.function(entry);
  ir::Function function = emptyCanonical(raw);
  ir::Builder builder(function);
  builder.setRegion(function.body);
  builder.setLoc(breach.loc ? breach.loc : raw.loc);
  builder.unsupported(breach.text, std::nullopt, ir::MalformedIr);
  builder.ret(std::nullopt);
  Verdict verdict = verifyOblivious(module, function);
  verdict.anyVarying = true; // what the function reads is not known
  verdict.instanceOptions.clear();
  return CheckedFunction{entry, {}, facts, std::move(function), std::move(verdict)};
}

void abortOnFault(const ir::Module &module, const CheckedFunction &checked) {
  if (!std::getenv("COLONNADE_ABORT_ON_FAULT"))
    return;
  for (const Finding &finding : checked.verdict.findings)
    if (isOwnFault(finding.id)) {
      llvm::errs() << module.sources.str(finding.loc) << ": " << finding.message << " ["
                   << finding.id << "]\n";
      std::abort();
    }
}

/// What is accepted runs, and is compared with the sequential function: one that nothing else
/// can call is unsupported.
void refuseUncallable(const ir::Module &module, CheckedFunction &checked) {
  if (!isAccepted(checked.verdict.verdict))
    return;
  llvm::Expected<EmittedFile> file = sequentialFile(module, checked, checked.source.file);
  if (file)
    return;
  Finding finding{info(Diagnostic::UnsupportedConstruct).id, VerdictClass::U,
                  module.function(checked.entry).loc};
  llvm::handleAllErrors(file.takeError(), [&](const UncallableOriginal &original) {
    finding.message = format(Diagnostic::UnsupportedConstruct, {original.reason});
    finding.options = original.options;
  });
  checked.verdict.findings.push_back(std::move(finding));
  checked.verdict.verdict = VerdictClass::U;
}

/// "n = 1..32, m = 1..8"
std::string text(const SizeRanges &ranges) {
  std::string result;
  for (const auto &[name, range] : ranges)
    result += (result.empty() ? "" : ", ") + name + " = " + str(range);
  return result;
}

/// Code for a range of sizes is padded, if it can be; else it is that for all sizes.
void padRanges(const ir::Module &module, CheckedFunction &checked) {
  const SizeRanges &ranges = checked.facts.sizeRanges;
  if (ranges.empty() || !isAccepted(checked.verdict.verdict))
    return;
  auto padded = padSizes(checked.canonical, checked.verdict.fullyWritten, ranges);
  if (!padded) {
    checked.sizeNotes = {text(ranges) +
                         ": the code for all sizes: " + llvm::toString(padded.takeError())};
    return;
  }
  Verdict verdict = verifyOblivious(module, padded->function);
  // That copies under conditions write all, a verdict does not see.
  llvm::copy(checked.verdict.fullyWritten, verdict.fullyWritten.begin());
  checked.sizeNotes = {text(ranges) + ": one kernel, padded to the largest size"};
  llvm::append_range(checked.sizeNotes, padded->notes);
  checked.padded =
      PaddedCode{std::move(padded->function), std::move(verdict), std::move(padded->mostCells)};
}

ExitCode exitCode(VerdictClass verdict) { return static_cast<ExitCode>(outcome(verdict)); }

} // namespace

llvm::Expected<CheckedFunction> checkFunction(ir::Module &module, FunctionId entry,
                                              const EntryFacts &facts) {
  if (std::optional<ir::MalformedFunction> breach = breachBelow(module, entry))
    return refused(module, entry, facts, *breach);
  llvm::Expected<ir::Function> canonical = normalize(module, entry, facts);
  if (!canonical)
    return canonical.takeError();
  dropProvenChecks(*canonical);
  deriveExtents(*canonical);
  if (std::optional<ir::MalformedFunction> breach = breachOf(module, *canonical))
    return refused(module, entry, facts, *breach);
  Verdict verdict = verifyOblivious(module, *canonical);
  if (isAccepted(verdict.verdict))
    if (std::optional<ir::MalformedFunction> breach = breachOf(module, verdict.certificate))
      return refused(module, entry, facts, *breach);
  return CheckedFunction{entry, {}, facts, std::move(*canonical), std::move(verdict)};
}

FrontendOptions frontendOptions(const Options &options) {
  FrontendOptions frontend;
  frontend.files = options.files;
  frontend.functions = options.functions;
  frontend.allFunctions = options.all;
  frontend.buildPath = options.buildPath;
  frontend.clangFlags = options.clangFlags;
  frontend.ledger = options.dump == Dump::Ledger;
  return frontend;
}

llvm::Expected<FrontendOptions> toolOptions(const Options &options) {
  llvm::Expected<std::vector<std::string>> includes = includeFolders();
  if (!includes)
    return includes.takeError();

  FrontendOptions frontend = frontendOptions(options);
  for (const std::string &folder : *includes) {
    frontend.clangFlags.push_back("-isystem");
    frontend.clangFlags.push_back(folder);
  }
  return frontend;
}

llvm::Expected<FrontendResult> lower(const Options &options) {
  for (const std::string &file : options.files)
    if (llvm::Error error = checkReadable(file))
      return error;
  llvm::Expected<FrontendOptions> frontend = toolOptions(options);
  if (!frontend)
    return frontend.takeError();
  return lowerSources(*frontend);
}

llvm::Expected<Analysis> analyse(const Options &options) {
  llvm::Expected<FrontendResult> lowered = lower(options);
  if (!lowered)
    return lowered.takeError();
  Analysis analysis;
  analysis.module = std::move(lowered->module);
  analysis.dependencies = std::move(lowered->dependencies);
  analysis.unparsed = std::move(lowered->unparsed);

  llvm::Expected<std::vector<EntryFacts>> facts =
      selectFacts(analysis.module, lowered->entries, options.facts);
  if (!facts)
    return facts.takeError();
  for (auto [i, entry] : llvm::enumerate(lowered->entries)) {
    llvm::Expected<std::vector<SizeVariant>> variants = sizeVariants((*facts)[i]);
    if (!variants)
      return variants.takeError();
    for (const SizeVariant &variant : *variants) {
      auto checked = checkFunction(analysis.module, entry, variant.facts);
      if (!checked && options.all) {
        analysis.unchecked.push_back({entry, llvm::toString(checked.takeError())});
        continue;
      }
      if (!checked)
        return checked.takeError();
      checked->source = lowered->sources[i];
      checked->sizeSuffix = variant.suffix;
      refuseUncallable(analysis.module, *checked);
      padRanges(analysis.module, *checked);
      abortOnFault(analysis.module, *checked);
      analysis.functions.push_back(std::move(*checked));
    }
  }
  return analysis;
}

ExitCode exitCode(const Verdict &verdict, const Options &options) {
  auto judge = [&](VerdictClass c) {
    if (options.allowed.count(c))
      return Accepted;
    return std::max(exitCode(c), options.errorOn.count(c) ? Rejected : Accepted);
  };
  ExitCode worst = judge(verdict.verdict);
  for (const Finding &finding : verdict.findings)
    worst = std::max(worst, judge(finding.verdict));
  return worst;
}

ExitCode fail(llvm::Error error) {
  ExitCode code = Failed;
  llvm::handleAllErrors(
      std::move(error),
      [&](const RefusedKernel &kernel) {
        llvm::errs() << kernel.text << '\n';
        code = Unsupported;
      },
      [](const llvm::ErrorInfoBase &info) { llvm::errs() << "error: " << info.message() << '\n'; });
  return code;
}

} // namespace colonnade

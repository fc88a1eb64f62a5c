//===- Pipeline.cpp - Sources to verdicts ---------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Pipeline.h"

#include "Driver/FactSelection.h"
#include "Driver/Generate.h"
#include "Driver/Resources.h"
#include "IR/Printer.h"
#include "Support/Diagnostics.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

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

/// A malformed function is a bug of ours: say so, and in which stage.
llvm::Error verifyStage(const ir::Module &module, const ir::Function &function, const char *stage) {
  if (llvm::Error error = ir::verify(module, function))
    return llvm::createStringError("internal error: malformed IR of '" + function.name +
                                   "' after " + stage + ": " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Expected<CheckedFunction> checkFunction(ir::Module &module, FunctionId entry,
                                              const EntryFacts &facts) {
  if (llvm::Error error = verifyStage(module, module.function(entry), "the front end"))
    return error;
  llvm::Expected<ir::Function> canonical = normalize(module, entry, facts);
  if (!canonical)
    return canonical.takeError();
  deriveExtents(*canonical);
  if (llvm::Error error = verifyStage(module, *canonical, "normalisation"))
    return error;
  Verdict verdict = verifyOblivious(module, *canonical);
  return CheckedFunction{entry, {}, facts, std::move(*canonical), std::move(verdict)};
}

/// What is accepted runs, and is compared with the sequential function: one that nothing else
/// can call is unsupported.
void refuseUncallable(const ir::Module &module, CheckedFunction &checked) {
  if (!isAccepted(checked.verdict.verdict))
    return;
  llvm::Expected<EmittedFile> file = sequentialFile(module, checked, checked.source.file);
  if (file)
    return;
  std::string reason = llvm::toString(file.takeError());
  checked.verdict.findings.push_back({info(Diagnostic::UnsupportedConstruct).id,
                                      VerdictClass::U,
                                      module.function(checked.entry).loc,
                                      format(Diagnostic::UnsupportedConstruct, {reason}),
                                      {}});
  checked.verdict.verdict = VerdictClass::U;
}

ExitCode exitCode(VerdictClass verdict) { return static_cast<ExitCode>(outcome(verdict)); }

} // namespace

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

llvm::Expected<FrontendResult> lower(const Options &options) {
  for (const std::string &file : options.files)
    if (llvm::Error error = checkReadable(file))
      return error;
  llvm::Expected<std::vector<std::string>> includes = includeFolders();
  if (!includes)
    return includes.takeError();

  FrontendOptions frontend = frontendOptions(options);
  for (const std::string &folder : *includes) {
    frontend.clangFlags.push_back("-isystem");
    frontend.clangFlags.push_back(folder);
  }
  return lowerSources(frontend);
}

llvm::Expected<Analysis> analyse(const Options &options) {
  llvm::Expected<FrontendResult> lowered = lower(options);
  if (!lowered)
    return lowered.takeError();
  Analysis analysis;
  analysis.module = std::move(lowered->module);
  analysis.dependencies = std::move(lowered->dependencies);

  llvm::Expected<std::vector<EntryFacts>> facts =
      selectFacts(analysis.module, lowered->entries, options.facts);
  if (!facts)
    return facts.takeError();
  for (auto [i, entry] : llvm::enumerate(lowered->entries)) {
    auto checked = checkFunction(analysis.module, entry, (*facts)[i]);
    if (!checked && options.all) {
      analysis.unchecked.push_back({entry, llvm::toString(checked.takeError())});
      continue;
    }
    if (!checked)
      return checked.takeError();
    checked->source = lowered->sources[i];
    refuseUncallable(analysis.module, *checked);
    analysis.functions.push_back(std::move(*checked));
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
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::errs() << "error: " << info.message() << '\n';
  });
  return Failed;
}

} // namespace colonnade

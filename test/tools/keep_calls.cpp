//===- keep_calls.cpp - CPU code of kernels that keep each call -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// colonnade-keep-calls FOLDER FILE... [-- CLANG-FLAGS]
//
// Writes what `colonnade emit --target cpu` would write if every kernel were so long that it
// keeps all calls that can be kept: programmes of a test's length have none otherwise. The last
// line of the output is the number of functions with such a call.
//
// Exit code: 0 the files are written; 3 a function is refused, or anything else failed.
//
//===----------------------------------------------------------------------===//

#include "AllCalls.h"

#include "Driver/AtomicOutput.h"
#include "Driver/Generate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace colonnade;

static unsigned numFunctionsWithParts = 0;

static std::vector<ir::Function>
lowerAndKeep(const ir::Module &module, const ir::Function &function, const Verdict &verdict) {
  std::vector<ir::Function> kernels = findBackEnd("cpu")->lower(module, function, verdict);
  for (ir::Function &kernel : kernels)
    kernel = keepCalls(std::move(kernel), module, AllCalls);
  numFunctionsWithParts +=
      llvm::any_of(kernels, [](const ir::Function &kernel) { return !kernel.parts.empty(); });
  return kernels;
}

static llvm::Error writeFiles(const Options &options) {
  llvm::Expected<Analysis> analysis = analyse(options);
  if (!analysis)
    return analysis.takeError();
  for (const CheckedFunction &checked : analysis->functions)
    if (checked.verdict.verdict > VerdictClass::P)
      return llvm::createStringError("'" + checked.canonical.name + "' is refused");
  BackEnd keeping = *findBackEnd("cpu");
  keeping.lower = lowerAndKeep;
  llvm::Expected<std::vector<EmittedFile>> files = generate(*analysis, {&keeping});
  if (!files)
    return files.takeError();
  AtomicOutput output;
  if (llvm::Error error = output.addFolder(options.outputDirectory))
    return error;
  for (const EmittedFile &file : *files)
    if (llvm::Error error = output.add(options.outputDirectory + "/" + file.name, file.text))
      return error;
  return output.commit();
}

int main(int argc, char **argv) {
  Options options;
  const auto end = std::find(argv, argv + argc, llvm::StringRef("--"));
  if (end - argv < 3) {
    llvm::errs() << "usage: colonnade-keep-calls FOLDER FILE... [-- FLAGS]\n";
    return 3;
  }
  options.outputDirectory = argv[1];
  options.files.assign(argv + 2, end);
  if (end != argv + argc)
    options.clangFlags.assign(end + 1, argv + argc);
  if (llvm::Error error = writeFiles(options)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 3;
  }
  llvm::outs() << numFunctionsWithParts << "\n";
  return 0;
}

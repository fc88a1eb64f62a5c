//===- keep_calls.cpp - The command, with kernels that keep each call -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// colonnade-keep-calls COMMAND ...
//
// In: a command line of `colonnade`. Out: what that does, but CPU code that `emit` writes and
// `run` runs is what it would be if every kernel were so long that it keeps all calls that can be
// kept: programmes of a test's length have none otherwise. The last line of the output says how
// many functions have such a call.
//
// Exit code: the command's.
//
//===----------------------------------------------------------------------===//

#include "AllCalls.h"

#include "Driver/Options/Options.h"
#include "Emit/BackEnds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace colonnade;

static unsigned numFunctionsWithParts = 0;

static llvm::Expected<std::vector<ir::Function>> lowerAndKeep(const ir::Module &module,
                                                              const ir::Function &function,
                                                              const Verdict &verdict,
                                                              const LoweringOptions &options) {
  std::vector<ir::Function> kernels =
      llvm::cantFail(findBackEnd("cpu")->lower(module, function, verdict, options));
  for (ir::Function &kernel : kernels)
    kernel = keepCalls(std::move(kernel), module, AllCalls);
  numFunctionsWithParts +=
      llvm::any_of(kernels, [](const ir::Function &kernel) { return !kernel.parts.empty(); });
  return kernels;
}

int main(int argc, char **argv) {
  std::variant<Options, int> parsed = parseCommandLine(argc, argv);
  if (const int *code = std::get_if<int>(&parsed))
    return *code;
  Options &options = std::get<Options>(parsed);
  BackEnd keeping = *findBackEnd("cpu");
  keeping.lower = lowerAndKeep;
  for (const BackEnd *&target : options.targets)
    target = target == findBackEnd("cpu") ? &keeping : target;
  const int code = options.command(options);
  if (!options.targets.empty())
    llvm::outs() << numFunctionsWithParts << " keep calls\n";
  return code;
}

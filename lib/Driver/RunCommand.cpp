//===- RunCommand.cpp - Build a runner and execute it ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"
#include "Driver/Commands.h"
#include "Driver/Dump.h"
#include "Driver/Pipeline.h"
#include "Driver/Verdicts.h"
#include "Driver/RunnerBuild.h"
#include "Driver/RunnerSources.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

/// Exit code of the runner: its own for a failed run, 128 + signal if killed.
llvm::Expected<int> buildAndExecute(const Analysis &analysis, const Options &options) {
  llvm::Expected<Toolchain> toolchain = findToolchain(options);
  if (!toolchain)
    return toolchain.takeError();
  llvm::Expected<TemporaryFolder> folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  llvm::Expected<std::string> runner = buildRunner(analysis, options, *toolchain, *folder);
  if (!runner)
    return runner.takeError();

  Process process{{*runner}, ""};
  llvm::append_range(process.command, options.runnerArguments);
  process.command.push_back("--target");
  process.command.push_back(toolchain->nvcc.empty() ? "cpu" : options.runTarget);
  llvm::Expected<std::vector<int>> codes = runProcesses(process);
  if (!codes)
    return codes.takeError();
  return codes->front();
}

llvm::Error writeSourcesOnly(const Analysis &analysis, const Options &options) {
  if (llvm::Error error = createFolder(options.sourcesFolder))
    return error;
  return writeRunnerSources(analysis, options, options.sourcesFolder, /*withCuda=*/true,
                            /*relativeInclude=*/true)
      .takeError();
}

} // namespace

int runRun(const Options &options) {
  if (options.dump != Dump::None)
    return runDump(options);
  llvm::Expected<Analysis> analysis = analyse(options);
  if (!analysis)
    return fail(analysis.takeError());
  if (ExitCode code = reportRefusals(*analysis); code != Accepted)
    return code;
  if (analysis->functions.size() != 1)
    return fail(llvm::createStringError("run takes one function; choose it with -f"));
  if (!options.sourcesFolder.empty()) {
    llvm::Error error = writeSourcesOnly(*analysis, options);
    return error ? fail(std::move(error)) : Accepted;
  }
  llvm::Expected<int> code = buildAndExecute(*analysis, options);
  return code ? *code : fail(code.takeError());
}

} // namespace colonnade

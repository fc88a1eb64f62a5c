//===- RunCommand.cpp - Build a runner and execute it ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Commands.h"
#include "Driver/Commands/Verdicts.h"
#include "Driver/Generate.h"
#include "Driver/Options/RunnerArguments.h"
#include "Driver/Runner/RunnerBuild.h"
#include "Driver/Runner/RunnerSources.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>

namespace colonnade {
namespace {

/// A runner that a signal has ended could not say so itself.
void reportKilled(int signal) {
  llvm::errs() << "error: the runner was ended by signal " << signal << " (" << ::strsignal(signal)
               << ")";
  if (signal == SIGKILL)
    llvm::errs() << "; where memory has run out, take fewer instances at once (--count, "
                    "--device-memory). An output that it had begun may remain, as a file with "
                    "'.tmp' in its name";
  llvm::errs() << '\n';
}

/// Exit code of the runner: its own for a failed run, 128 + signal if killed.
llvm::Expected<int> buildAndExecute(const Analysis &analysis, const Options &options) {
  llvm::Expected<Toolchain> toolchain = findToolchain(options, [&](const BackEnd &backEnd) {
    llvm::Error error = checkBackEnd(backEnd, analysis, analysis.functions.front());
    const bool runs = !error;
    llvm::consumeError(std::move(error));
    return runs;
  });
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
  process.command.push_back(toolchain->device ? options.runTarget : "cpu");
  llvm::Expected<std::vector<int>> codes = runProcesses(process);
  if (!codes)
    return codes.takeError();
  if (codes->front() > 128)
    reportKilled(codes->front() - 128);
  return codes->front();
}

llvm::Expected<int> writeSourcesOnly(const Analysis &analysis, const Options &options) {
  std::vector<const BackEnd *> all;
  for (const BackEnd &backEnd : backEnds())
    all.push_back(&backEnd);
  auto sources = writeRunnerSources(analysis, options.sourcesFolder, all, options.rowPlan,
                                    /*relativeInclude=*/true);
  if (!sources)
    return sources.takeError();
  return Accepted;
}

} // namespace

int runRun(const Options &options) {
  return withAccepted(options, [&](const Analysis &analysis) -> llvm::Expected<int> {
    auto checked = onlyFunction(analysis, "run");
    if (!checked)
      return checked.takeError();
    if (!options.sourcesFolder.empty())
      return writeSourcesOnly(analysis, options);
    // Before the runner is built, which takes seconds.
    if (llvm::Error error = checkRunnerArguments(checked->canonical, options))
      return error;
    return buildAndExecute(analysis, options);
  });
}

} // namespace colonnade

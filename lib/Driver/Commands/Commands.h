//===- Commands.h - One function per command --------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the parsed command line. Out: what the command prints and writes, and the exit code of
// the process (ExitCode in Options.h).
//
// Invariant: a command reports its own errors; its caller only returns the code.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_COMMANDS_H
#define COLONNADE_DRIVER_COMMANDS_H

#include "Driver/Options/Options.h"

namespace colonnade {

int runCheck(const Options &options);    // Check.cpp
int runCheckAll(const Options &options); // CheckAll.cpp
int runEmit(const Options &options);     // EmitCommand.cpp
int runRun(const Options &options);      // RunCommand.cpp
int runTrace(const Options &options);    // TraceCommand.cpp
int runCost(const Options &options);     // CostCommand.cpp
int runStems(const Options &options);    // EmitCommand.cpp
int runTune(const Options &options);     // TuneCommand.cpp
int runExplain(const Options &options);  // Explain.cpp

} // namespace colonnade

#endif // COLONNADE_DRIVER_COMMANDS_H

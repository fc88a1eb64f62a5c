//===- Commands.h - One function per command --------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each runs to the end, prints what it has to say and returns the ExitCode.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_COMMANDS_H
#define COLONNADE_DRIVER_COMMANDS_H

#include "Driver/Options.h"

namespace colonnade {

int runCheck(const Options &options);   // Check.cpp
int runEmit(const Options &options);    // EmitCommand.cpp
int runRun(const Options &options);     // RunCommand.cpp
int runTrace(const Options &options);   // TraceCommand.cpp
int runExplain(const Options &options); // Explain.cpp

} // namespace colonnade

#endif // COLONNADE_DRIVER_COMMANDS_H

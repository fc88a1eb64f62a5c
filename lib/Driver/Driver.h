//===- Driver.h - The colonnade command -------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the command line. Out: the process's exit code, after the command has run
// (Commands.h).
//
// Invariant: the one entry of the library; tool/main.cpp calls nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_DRIVER_H
#define COLONNADE_DRIVER_DRIVER_H

namespace colonnade {

/// Runs the tool. Returns the process's exit code (ExitCode in Options.h).
int runTool(int argc, const char *const *argv);

} // namespace colonnade

#endif // COLONNADE_DRIVER_DRIVER_H

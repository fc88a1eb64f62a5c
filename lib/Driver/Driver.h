//===- Driver.h - The colonnade command -------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_DRIVER_H
#define COLONNADE_DRIVER_DRIVER_H

namespace colonnade {

/// Runs the tool. Returns the process's exit code (ExitCode in Options.h).
int runTool(int argc, const char *const *argv);

} // namespace colonnade

#endif // COLONNADE_DRIVER_DRIVER_H

//===- RunnerBuild.h - Generated files to a runner programme ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: one accepted function and a target. Out: an executable in a temporary folder, made of
// the generated files, the original function (for --verify) and a main() of three lines around
// bulk/runner.hpp.
//
// Invariant: what runs is what this command would build out of the files as they are: it comes
// out of the cache (RunnerCache.h) only if commands, generated files and all that the compilers
// read are the same.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_RUNNERBUILD_H
#define COLONNADE_DRIVER_RUNNERBUILD_H

#include "Driver/Pipeline.h"
#include "Driver/Runner/Subprocess.h"
#include "Driver/Runner/Toolchain.h"

namespace colonnade {

/// Path of the runner in `folder`. Error: generation, or a compiler failed (its
/// output is on standard error).
llvm::Expected<std::string> buildRunner(const Analysis &analysis, const Options &options,
                                        const Toolchain &toolchain, const TemporaryFolder &folder);

} // namespace colonnade

#endif // COLONNADE_DRIVER_RUNNERBUILD_H

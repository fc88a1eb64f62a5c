//===- RunnerArguments.h - What a runner is given ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted function and the options of `run`. Out: an error where the runner could only
// say, seconds of compiling later, that an option, a uniform scalar, or the name, type or shape of
// a file is wrong, or that nothing tells an extent.
//
// Invariant: the runner's own code decides (bulk/runner/arrays.hpp), so that both say the same.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_RUNNERARGUMENTS_H
#define COLONNADE_DRIVER_RUNNERARGUMENTS_H

#include "Driver/Options/Options.h"
#include "IR/Function.h"

namespace colonnade {

llvm::Error checkRunnerArguments(const ir::Function &function, const Options &options);

} // namespace colonnade

#endif // COLONNADE_DRIVER_RUNNERARGUMENTS_H

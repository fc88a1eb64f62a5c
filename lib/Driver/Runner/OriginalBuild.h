//===- OriginalBuild.h - The original sources to one object -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For --verify the runner calls the original function. In: the sources of a runner
// (RunnerSources.h) and the flags of the original files. Out: the commands that compile
// them into one object.
//
//   f.sequential.cpp, other sources ─▶ objects ─▶ one object ─▶ one global name
//
// Invariant: the object defines colonnade_sequential_f and nothing else that is visible, and
// holds only what that needs. So an unused function may call what is defined nowhere, and one
// that is named like a function of the C library (`read`, `free`) is not called in its place.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_ORIGINALBUILD_H
#define COLONNADE_DRIVER_ORIGINALBUILD_H

#include "Driver/Runner/RunnerSources.h"
#include "Driver/Runner/Subprocess.h"

namespace colonnade {

struct OriginalBuild {
  std::vector<Process> compile;     // side by side
  std::vector<Process> combine;     // one after the other
  std::vector<std::string> objects; // what to link
};

/// Nothing to do where there is no sequential function. `includeFlags`: the
/// runtime's folders. Error: -p names no database.
llvm::Expected<OriginalBuild> planOriginal(const Options &options, const RunnerSources &sources,
                                           const std::string &compiler,
                                           const std::vector<std::string> &includeFlags,
                                           const TemporaryFolder &folder);

} // namespace colonnade

#endif // COLONNADE_DRIVER_ORIGINALBUILD_H

//===- RunnerSources.h - The files of a runner programme --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: one accepted function. Out, in a folder: the generated files, the original function
// behind the type-erased interface (for --verify), an entry.cpp that names the function, and
// main.cpp, which is the same for all functions.
//
// Invariant: they need the runtime's headers only, so a machine without LLVM can build them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_RUNNERSOURCES_H
#define COLONNADE_DRIVER_RUNNERSOURCES_H

#include "Driver/Generate.h"

namespace colonnade {

struct RunnerSources {
  std::string identifier;             // file stem of the generated files
  std::string definingFile;           // absolute path of the source that defines the original
  std::string sequentialFile;         // its name in the folder; C or C++
  std::vector<std::string> generated; // the names of all files in the folder
};

/// `relativeInclude`: the original file is included by its path from `folder`,
/// so that the folder can move along with the sources; else by its absolute path.
/// Error: an emitter's; a file cannot be written.
llvm::Expected<RunnerSources> writeRunnerSources(const Analysis &analysis,
                                                 const std::string &folder, BackEndList wanted,
                                                 const RowPlan &rows, bool relativeInclude);

} // namespace colonnade

#endif // COLONNADE_DRIVER_RUNNERSOURCES_H

//===- Resources.h - Files that belong to the tool --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: where the executable lies. Out: the folders of Colonnade's own headers; a runner's main
// programme as the tool's build compiled it, and by which compiler.
//
// Invariant: all are found relative to the executable, so that an installed package can be
// moved: PREFIX/bin/colonnade, PREFIX/include/colonnade and PREFIX/lib/colonnade. A build tree has
// instead of the headers a file bin/colonnade.source-root that names the source tree.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_RESOURCES_H
#define COLONNADE_DRIVER_RESOURCES_H

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace colonnade {

/// Folders for -isystem: annotate.h and the runtime's headers.
llvm::Expected<std::vector<std::string>> includeFolders();

/// main.cpp (RunnerSources.h), compiled.
struct CompiledMain {
  std::string object;   // "": there is none
  std::string compiler; // what its --version says, but for the name that it was called by
};
CompiledMain compiledMain();

} // namespace colonnade

#endif // COLONNADE_DRIVER_RESOURCES_H

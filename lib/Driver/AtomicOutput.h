//===- AtomicOutput.h - All files of a command, or none ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the paths and contents of a command's output files, one by one. Out: all of them on
// disk, or, after an error, none.
//
// Each file is first written to a temporary beside its path and synced; commit() renames
// them when all are complete.
//
// Invariant: until commit() no target has changed. If the object goes away without it, the
// temporaries are removed, and the folders that were made for them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_ATOMICOUTPUT_H
#define COLONNADE_DRIVER_ATOMICOUTPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace colonnade {

class AtomicOutput {
public:
  AtomicOutput() = default;
  AtomicOutput(const AtomicOutput &) = delete;
  ~AtomicOutput();

  /// Creates `path` and its parents as a folder; without commit(), those that were
  /// not there before are removed again. Error: the path, and why not.
  llvm::Error addFolder(llvm::StringRef path);
  /// Writes and syncs a temporary beside `path`. Error: which file, and why.
  llvm::Error add(llvm::StringRef path, llvm::StringRef contents);
  /// Renames every temporary to its path.
  llvm::Error commit();

private:
  struct Pending {
    std::string temporary;
    std::string path;
  };
  std::vector<Pending> pending_;
  std::vector<std::string> createdFolders_; // parents first
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_ATOMICOUTPUT_H

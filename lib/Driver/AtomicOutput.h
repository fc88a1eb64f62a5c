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
// Links are followed; a device, FIFO or socket is written to (pending_output.hpp, which the
// runners use too).
//
// Invariant: until commit() no target has changed. If the object goes away without it, or a
// signal ends the process, the temporaries are removed, and the folders made for them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_ATOMICOUTPUT_H
#define COLONNADE_DRIVER_ATOMICOUTPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace colonnade {

/// Whether what is written to `path` goes to standard output: "-", or a name that it has, such as
/// /dev/stdout. No report may go there then.
bool isStandardOutput(llvm::StringRef path);

class AtomicOutput {
public:
  AtomicOutput();
  AtomicOutput(const AtomicOutput &) = delete;
  ~AtomicOutput();

  /// Creates `path` and its parents as a folder; without commit(), those that were
  /// not there before are removed again. Error: the path, and why not.
  llvm::Error addFolder(llvm::StringRef path);
  /// Writes and syncs a temporary for `path`. Error: which file, and why.
  llvm::Error add(llvm::StringRef path, llvm::StringRef contents);
  /// The same, but "-" is printed at once.
  llvm::Error addReport(llvm::StringRef path, llvm::StringRef contents);
  /// Gives every output its contents, or, after an error, none.
  llvm::Error commit();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_ATOMICOUTPUT_H

//===- Subprocess.h - Compilers and runners ---------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: commands, as lists of words. Out: their exit codes; and folders for what they write.
//
// Invariant: nothing goes through a shell. While children run, an interrupt ends them and not
// the tool, so that the tool still removes its temporary folder.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_SUBPROCESS_H
#define COLONNADE_DRIVER_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace colonnade {

struct Process {
  std::vector<std::string> command; // [0]: path of the executable
  std::string logPath;              // "": the tool's own output
  std::string folder = {};          // where it runs; "": where the tool does
  std::string what = {};            // what it works on, for messages
};

/// Runs them side by side and waits for all. Their exit codes, 128 + signal if killed.
/// Error: one could not be started.
llvm::Expected<std::vector<int>> runProcesses(llvm::ArrayRef<Process> processes);

/// Path of an executable by name, or "" if there is none on PATH.
std::string findProgram(const std::string &name);

/// A folder for intermediate files, removed with all it holds.
class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> create();
  TemporaryFolder(TemporaryFolder &&other) : path_(std::move(other.path_)) { other.path_.clear(); }
  ~TemporaryFolder();
  std::string file(const std::string &name) const { return path_ + "/" + name; }

private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_SUBPROCESS_H

//===- Subprocess.h - Compilers and runners ---------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: commands, as lists of words. Out: their exit codes; and folders for what they write.
//
// Invariant: nothing goes through a shell. While children run, a signal that would end the tool
// ends them first; and no signal but SIGKILL leaves a temporary folder behind.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_SUBPROCESS_H
#define COLONNADE_DRIVER_SUBPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace colonnade {

namespace runtime {
class temporary_path; // colonnade/bulk/temporary_files.hpp
}

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
  std::string file(const std::string &name) const;

private:
  explicit TemporaryFolder(std::shared_ptr<runtime::temporary_path> path)
      : path_(std::move(path)) {}
  std::shared_ptr<runtime::temporary_path> path_;
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_SUBPROCESS_H

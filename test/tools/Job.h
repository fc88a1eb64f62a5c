//===- Job.h - What the harness asks the interpreter to check -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON that test/Fuzz/jobs.cpp writes: for each entry its scalars, and for
// some instances the inputs, the sequential outputs and, if recorded, the trace.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_JOB_H
#define COLONNADE_TEST_TOOLS_JOB_H

#include "IR/Interpreter.h"

#include <map>

namespace colonnade {

/// An access to an array of the entry; `cell` is -1 if its width is not a cell's.
struct TracedAccess {
  std::string array;
  int64_t cell;
  bool isStore;
  friend bool operator==(const TracedAccess &, const TracedAccess &) = default;
};

using Cells = std::map<std::string, std::vector<uint64_t>>; // bits by array name

struct JobInstance {
  Cells before, after;
  std::optional<std::vector<TracedAccess>> trace;
};

struct Job {
  std::string name;
  std::map<std::string, uint64_t> scalars; // bits
  std::vector<JobInstance> instances;
};

llvm::Expected<std::vector<Job>> readJobs(llvm::StringRef path);

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_JOB_H

//===- Job.h - What the harness asks the interpreter to check -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON: for each entry its scalars, and for some instances the inputs and the sequential
// outputs, as test/Fuzz/jobs.cpp writes them. Or, instead of instances, a number of them to be
// drawn: "draw": 4, with what is drawn in "arrays": name, type, cells, and perhaps whether it is
// uniform, and limits:
//
//   {"entries": [{"name": "f", "scalars": {"n": 8}, "draw": 4, "arrays":
//     [{"name": "b", "cell": "u8", "cells": 8, "uniform": true, "low": 0, "high": 7}]}]}
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_INTERPRET_JOB_H
#define COLONNADE_TEST_TOOLS_INTERPRET_JOB_H

#include "IR/Interpreter.h"

#include <map>

namespace colonnade {

using Cells = std::map<std::string, std::vector<uint64_t>>; // bits by array name

struct JobInstance {
  Cells before, after;                                    // no outputs: they are not known
  std::map<std::string, std::vector<bool>> indeterminate; // outputs of the original; empty: none
};

struct Job {
  std::string name;
  std::map<std::string, uint64_t> scalars; // bits
  std::vector<JobInstance> instances;
};

llvm::Expected<std::vector<Job>> readJobs(llvm::StringRef path);

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_INTERPRET_JOB_H

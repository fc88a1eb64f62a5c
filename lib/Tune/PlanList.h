//===- PlanList.h - What is measured, for whoever collects it ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// plans.json, beside the measuring programme. In: the plans of each function and size. Out: a file
// from which `tune --collect` knows, without the sources, which plan a number is. Invariant: what
// is read is what was written, or an error that names the place.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_PLANLIST_H
#define COLONNADE_TUNE_PLANLIST_H

#include "Tune/Plans.h"

#include "llvm/Support/Error.h"

#include <map>

namespace colonnade::tune {

/// A file of generated code. Its number is its place among those of the function.
struct ListedPlan {
  std::string plan; // planName
  std::string stem; // "triangulate_n16_team_8"
  /// kernelHash of the kernels that it has, by LayoutKind; empty: none.
  std::array<std::string, 2> kernels;
};

struct ListedJob {
  std::string function;
  std::map<std::string, int64_t> sizes;
  std::string kernel; // kernelHash of one thread an instance
  std::vector<ListedPlan> plans;
  std::array<std::string, 2> chosen; // by the model: a plan's name
};

llvm::Expected<std::vector<ListedJob>> readPlanList(llvm::StringRef text, llvm::StringRef name);
std::string planListText(const std::vector<ListedJob> &jobs);

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_PLANLIST_H

//===- Choice.h - The plan that took the least time -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: which plans there are, what they took, and what they spill. Out: an entry for each function,
// size, kind of layouts and number of instances that was measured.
//
// A plan that spills is not taken. The model's choice stays unless another took less time by more
// than runs differ. Of columns, a plan's time is the geometric mean of column-wise and tiled.
//
// Invariant: all plans of a job left the same results, or there is an error and no entry.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_CHOICE_H
#define COLONNADE_TUNE_CHOICE_H

#include "Tune/Measurements.h"
#include "Tune/PlanList.h"
#include "Tune/TuningFile.h"

namespace colonnade::tune {

/// Of each file of a job, in order; by LayoutKind.
using JobSpills = std::vector<std::array<uint64_t, 2>>;

/// Results differ between plans: a fault of this tool, or of a compiler.
class DifferentResults : public llvm::ErrorInfo<DifferentResults> {
public:
  static char ID;
  explicit DifferentResults(std::string text) : text(std::move(text)) {}

  std::string text;

  void log(llvm::raw_ostream &out) const override { out << text; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// spills: of each job. Error: DifferentResults, or numbers that plans.json does not have.
llvm::Expected<TuningEntries> choosePlans(const std::vector<ListedJob> &jobs,
                                          const std::vector<JobSpills> &spills,
                                          const Measurements &measured);

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_CHOICE_H

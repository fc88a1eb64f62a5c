//===- Programme.h - What measures plans ------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the listed plans of each function, with its scalars and inputs. Out: main.cu, which hands
// them to the runtime's measure/plans.cuh, and a script that compiles and runs it, beside the
// generated files. Invariant: the folder needs nothing but itself, nvcc and a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_PROGRAMME_H
#define COLONNADE_TUNE_PROGRAMME_H

#include "Tune/PlanList.h"

namespace colonnade::tune {

struct MeasuredInput {
  std::string array, file; // the file's name in the folder
};

struct MeasuredJob {
  ListedJob listed;
  std::vector<uint64_t> scalars; // bits, as the descriptor has them
  std::vector<MeasuredInput> inputs;
};

// Names in the folder.
inline constexpr char PlanListName[] = "plans.json", ScriptName[] = "measure",
                      MeasuredName[] = "measured.jsonl", HeadersName[] = "include";
/// What ptxas says of a plan's file.
inline std::string ptxasName(const ListedPlan &plan) { return plan.stem + ".bulk.cu.ptxas"; }

/// planList: the text of plans.json.
std::string mainText(const std::vector<MeasuredJob> &jobs, llvm::StringRef planList);
std::string scriptText(const std::vector<MeasuredJob> &jobs);

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_PROGRAMME_H

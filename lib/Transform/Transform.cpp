//===- Transform.cpp - Canonical instance IR to kernel IR -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the steps; each is a file of its own.
//
//===----------------------------------------------------------------------===//

#include "Transform/Transform.h"

#include "Transform/BlockBuilder.h"
#include "Transform/Calls/KeepCalls.h"
#include "Transform/Guards.h"
#include "Transform/Lanes/LaneOperations.h"
#include "Transform/Lanes/LaneWidth.h"
#include "Transform/Lanes/Retype.h"
#include "Transform/Predication/Predication.h"
#include "Transform/RegisterPlacement.h"
#include "Transform/RowStaging.h"
#include "Transform/Spaces.h"
#include "Transform/Teams/TeamKernel.h"
#include "Transform/Unroll.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// A local array needs a copy per instance only where its contents differ.
static void shareLocalArrays(Function &kernel, const Uniformity &uniformity) {
  for (size_t a = 0; a < kernel.arrays.size(); ++a)
    if (kernel.arrays[a].isLocal())
      kernel.arrays[a].sharing = uniformity.arrayVarying[a] ? Sharing::Instance : Sharing::Uniform;
}

/// By more than estimates are off.
static bool isDearer(const Function &kernel, const Function &other, const KernelPrice &price) {
  static constexpr double Surely = 1.25;
  const std::optional<double> own = price.ofRows(kernel), others = price.ofRows(other);
  return own && others && *own > Surely * *others;
}

/// `kernel`: its arrays have no place yet. Only where not all cells that are worth copying are in
/// registers of one thread.
static std::optional<Function> lowerToTeams(Function kernel, const RegisterPlan &registers,
                                            const Verdict &verdict, std::string &reason) {
  bool areInRegisters = true;
  for (auto [array, isInRegisters] : llvm::zip_equal(kernel.arrays, registers.arrays))
    areInRegisters &= isInRegisters || !hasLongRows(array);
  if (areInRegisters)
    return std::nullopt;
  RegisterPlan none;
  none.arrays.resize(kernel.arrays.size());
  placeForThreads(kernel, none, verdict.fullyWritten);
  guardForThreads(kernel, verdict);
  const TeamPlan plan = planTeams(kernel);
  reason = plan.reason;
  if (plan.isEmpty())
    return std::nullopt;
  if (plan.cycles >= plan.ofOne) {
    reason = "by what is counted, teams take longer";
    return std::nullopt;
  }
  return teamKernel(plan);
}

std::vector<Function> colonnade::lowerToThreads(const Module &module, const Function &function,
                                                const Verdict &verdict, const KernelPrice *price) {
  Function kernel = function;
  kernel.stage = Stage::Kernel;
  kernel.launch = ThreadShape{};
  for (size_t v = 0; v < kernel.values.size(); ++v)
    kernel.values[v].varying = verdict.uniformity.varying[v];
  shareLocalArrays(kernel, verdict.uniformity);
  RegisterPlan registers = planRegisters(kernel);
  std::string whyOneThread;
  std::optional<Function> teams = lowerToTeams(kernel, registers, verdict, whyOneThread);
  placeForThreads(kernel, registers, verdict.fullyWritten);
  unrollLoops(kernel, registers);
  guardForThreads(kernel, verdict);
  std::vector<Function> kernels = {keepCalls(std::move(kernel), module)};
  if (teams) {
    kernels.push_back(std::move(*teams));
    return kernels;
  }
  if (!whyOneThread.empty())
    kernels.front().notes.push_back("one thread an instance: " + whyOneThread);
  StagedRows rows = stageRows(kernels.front(), registers.accesses, verdict.fullyWritten);
  if (rows.kernel && price && isDearer(*rows.kernel, kernels.front(), *price))
    rows = {std::nullopt, "rows in shared memory leave room for few warps: by the cost model they "
                          "take longer"};
  if (rows.kernel)
    kernels.push_back(std::move(*rows.kernel));
  else if (!rows.reason.empty())
    kernels.front().notes.push_back("row-wise instances as others: " + rows.reason);
  return kernels;
}

/// What lanes must be faster than: the function as it came, with nothing that varies.
static Function serialKernel(const Module &module, const Function &function,
                             const Verdict &verdict) {
  Function kernel = function;
  kernel.stage = Stage::Kernel;
  kernel.launch = SerialShape{};
  shareLocalArrays(kernel, verdict.uniformity);
  placeForOne(kernel);
  guardForThreads(kernel, verdict);
  return keepCalls(std::move(kernel), module);
}

std::vector<Function> colonnade::lowerToLanes(const Module &module, const Function &function,
                                              const Verdict &verdict, const KernelPrice *) {
  Function kernel = predicate(function, verdict.uniformity);
  kernel.stage = Stage::Kernel;
  shareLocalArrays(kernel, verdict.uniformity);
  kernel = retype(kernel, chooseLaneTypes(kernel));
  kernel.launch = LaneShape{chooseLaneBytes(kernel)};
  placeForLanes(kernel);
  guardForLanes(kernel, verdict);
  chooseLaneOperations(kernel);
  return {keepCalls(std::move(kernel), module), serialKernel(module, function, verdict)};
}

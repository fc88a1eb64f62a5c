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

#include "Transform/Calls/KeepCalls.h"
#include "Transform/Guards.h"
#include "Transform/Lanes/LaneOperations.h"
#include "Transform/Lanes/LaneWidth.h"
#include "Transform/Lanes/Retype.h"
#include "Transform/Predication/Predication.h"
#include "Transform/Spaces.h"

using namespace colonnade;
using namespace colonnade::ir;

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

llvm::Expected<std::vector<Function>> colonnade::lowerToLanes(const Module &module,
                                                              const Function &function,
                                                              const Verdict &verdict,
                                                              const LoweringOptions &) {
  Function kernel = predicate(function, verdict.uniformity);
  kernel.stage = Stage::Kernel;
  shareLocalArrays(kernel, verdict.uniformity);
  kernel = retype(kernel, chooseLaneTypes(kernel));
  kernel.launch = LaneShape{chooseLaneBytes(kernel)};
  placeForLanes(kernel);
  guardForLanes(kernel, verdict);
  chooseLaneOperations(kernel);
  return std::vector{keepCalls(std::move(kernel), module), serialKernel(module, function, verdict)};
}

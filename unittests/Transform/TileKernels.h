//===- TileKernels.h - Kernels of grids, for tests --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical function of known sizes. Out: the kernel of threads that teams are planned for,
// and plans for it in a grid.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_TRANSFORM_TILEKERNELS_H
#define COLONNADE_UNITTESTS_TRANSFORM_TILEKERNELS_H

#include "RowKernels.h"

#include "Transform/Spaces.h"
#include "Transform/Teams/TeamKernel.h"
#include "Transform/Teams/TilePlan.h"

namespace colonnade {

/// A kernel of threads, as teams are planned for.
inline ir::Function kernelOf(const ir::Module &module) {
  ir::Function kernel = module.functions[0];
  const Verdict verdict = verifyOblivious(module, kernel);
  kernel.stage = ir::Stage::Kernel;
  kernel.launch = ir::ThreadShape{};
  for (size_t v = 0; v < kernel.values.size(); ++v)
    kernel.values[v].varying = verdict.uniformity.varying[v];
  RegisterPlan none;
  none.arrays.resize(kernel.arrays.size());
  placeForThreads(kernel, none, verdict.fullyWritten);
  return kernel;
}

inline TeamPlan planOf(const ir::Function &kernel, TeamTrial trial, bool isSkewed) {
  TeamPlan plan;
  plan.choice = std::move(trial.choice);
  plan.run = std::move(trial.run);
  plan.isSkewed = isSkewed;
  plan.kernel = kernel;
  return plan;
}

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_TRANSFORM_TILEKERNELS_H

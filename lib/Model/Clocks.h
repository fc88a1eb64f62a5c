//===- Clocks.h - Time units of a bulk execution ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: k(j, i), the stages that warp i's requests at step j occupy; 0: it has none and is not
// dispatched. Out: the time until all requests are complete, by two clocks:
//
//   stepwise    as the paper's proofs count: step j takes S_j + l - 1, with S_j the sum of k(j, i)
//   pipelined   by the rules of the paper's section II: warps take turns; one whose request is not
//               complete is skipped; a dispatch starts after the one before it and after the
//               warp's own completion, which is l - 1 after its last stage
//
// Invariant: max(sum of all k + l - 1, max over warps of sum of (k + l - 1)) <= pipelined <=
// stepwise.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_CLOCKS_H
#define COLONNADE_MODEL_CLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace colonnade::model {

struct BulkSteps {
  uint64_t numSteps = 0;
  uint64_t numWarps = 0;
  llvm::function_ref<uint64_t(uint64_t step, uint64_t warp)> stages; // k(j, i)
};

/// The same where every warp has a request at every step, by runs of warps side by side that have
/// the same k at every step.
struct BulkRuns {
  uint64_t numSteps = 0;
  llvm::ArrayRef<uint64_t> warps;                                 // of each run; none is 0
  llvm::function_ref<uint64_t(uint64_t step, size_t run)> stages; // k, none is 0
};

uint64_t stepwiseTime(const BulkSteps &steps, uint64_t latency);
/// Simulated: O(steps * warps) dispatches.
uint64_t pipelinedTime(const BulkSteps &steps, uint64_t latency);
/// Equal to the simulation, in O(steps * runs).
uint64_t pipelinedTime(const BulkRuns &runs, uint64_t latency);
/// The same where all k are equal.
uint64_t pipelinedTimeOfEqual(uint64_t numSteps, uint64_t numWarps, uint64_t stages,
                              uint64_t latency);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_CLOCKS_H

//===- Transform.h - Canonical instance IR to kernel IR ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted canonical function of a module and its verdict. Out: its kernels, functions of
// stage Kernel that say all there is to decide:
//
//   launch shape   how many lanes a register or threads a block; varying values
//   spaces         where each array lives
//   staging        which arrays of row-wise instances go through shared memory
//   teams          how many threads run one, and which loops are dealt out to them
//   strips         how many rows of a table one thread does together
//   guards         which accesses are checked as they happen
//   unrolling      how far each loop is unrolled
//   operations     the cheaper forms where they hold
//   parts          what many calls have in common, where the kernel is long
//   notes          why, for the user
//
// Where rules leave a choice, it is the cheaper kernel by `price`; without one, what rules say. A
// plan that is asked for is taken, whatever it costs, or refused.
//
// lowerToThreads  one thread per instance; divergent control stays control flow; where it pays,
//                 a second kernel for row-wise instances, of one thread each or of a team
// lowerToLanes    one lane per instance; divergent If and loops become masks, operands
//                 of inactive lanes are made safe, lanes are as narrow as they can be; and a
//                 second kernel for row-wise instances, one after the other, as they came
//
// Predication/  divergent control to masks
// Lanes/        how narrow lanes can be, and cheaper operations on them
// Calls/        calls that stay calls
// Strips/       several rows of a table together, in one thread
// Teams/        several threads an instance
//
// Invariant: a kernel, interpreted, stores what the canonical function stores.
// Emitters only print kernels.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TRANSFORM_H
#define COLONNADE_TRANSFORM_TRANSFORM_H

#include "IR/Function.h"
#include "Oblivious/Oblivious.h"
#include "Transform/KernelPrice.h"
#include "Transform/RowPlan.h"

#include "llvm/Support/Error.h"

namespace colonnade {

struct LoweringOptions {
  const KernelPrice *price = nullptr;
  LayoutPlans plans = {}; // of kernels of threads
  /// By array: the cells of an instance at most, where their number is in a range of sizes
  /// (Padding/PadSizes.h); 0, or none: it is known, or may be any.
  llvm::ArrayRef<uint64_t> mostCells = {};
};

/// Whether lowerToThreads has rows of a table to do together, if no team takes their place; far
/// sooner known than its kernels.
bool mayBeInStrips(const ir::Function &function, const Verdict &verdict, const RowPlan &wanted);

/// Error: why the plan that is asked for is none for this function.
llvm::Expected<std::vector<ir::Function>> lowerToThreads(const ir::Module &module,
                                                         const ir::Function &function,
                                                         const Verdict &verdict,
                                                         const LoweringOptions &options = {});
llvm::Expected<std::vector<ir::Function>> lowerToLanes(const ir::Module &module,
                                                       const ir::Function &function,
                                                       const Verdict &verdict,
                                                       const LoweringOptions &options = {});

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TRANSFORM_H

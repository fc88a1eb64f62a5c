//===- IssuedOperations.h - What of a kernel a GPU issues -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel, how often its regions are entered. Out: about how many instructions a warp
// issues. Where loops are unrolled fully, subscripts become constants: there only operations count
// whose results differ between threads, and accesses that are not to registers; what depends on
// some of the loops' counters only counts once for the others. Conversions between integers and
// additions to a product are parts of other instructions; divisions are several.
//
// Invariant: nothing is issued for an access to registers. An estimate: the weights are rough.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_ISSUEDOPERATIONS_H
#define COLONNADE_MODEL_ISSUEDOPERATIONS_H

#include "Model/OperationCounts.h"

namespace colonnade::model {

/// Instructions of operations.
class OperationWeights {
public:
  explicit OperationWeights(const ir::Function &kernel);

  /// Each time that it is run, without what it contains. `folds`: what is the same in all threads
  /// is known when the kernel is compiled, or an offset.
  double of(const ir::Op &op, bool folds) const;

private:
  double weight(const ir::Op &op) const;
  bool isPartOfOther(const ir::Op &op) const;

  const ir::Function &kernel_;
  std::vector<unsigned> uses_; // by value
};

/// Of an instance, if all arms run.
double issuedOperations(const ir::Function &kernel, const RegionExecutions &executions);

/// A loop's test and its step.
constexpr double OperationsOfIteration = 2;

/// Iterations that a loop runs at a time.
unsigned iterationsAtOnce(const ir::Unrolling &unrolling);

/// Whether the loop is no loop any more: by us, or by the compiler, as its few iterations are
/// known.
bool isUnrolledFully(const ir::Function &kernel, const ir::Op &loop);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_ISSUEDOPERATIONS_H

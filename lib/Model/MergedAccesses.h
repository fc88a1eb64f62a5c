//===- MergedAccesses.h - Loads that a compiler leaves out ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel, and how often its regions are entered. Out: the loads of an instance whose
// cell was loaded or stored shortly before, so that its value is in a register still:
//
//   b[i] = b[i - 1] + b[i]   eight iterations at once: of b[i - 1] the first is loaded
//
// "Before" is in the same run of operations without a branch: an iteration of an innermost loop, or
// as many as it runs at once (four where nothing is said and their number is known), with all of
// the loops in it that are unrolled fully. Cells are the same if their subscripts are. A store that
// may be to the same cell, since its subscripts are other values, ends that, and so does a barrier.
// A thread holds as many values as it has registers.
//
// Invariant: no store is left out. An estimate: compilers see more, or less.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_MERGEDACCESSES_H
#define COLONNADE_MODEL_MERGEDACCESSES_H

#include "Model/OperationCounts.h"

namespace colonnade::model {

/// Of rows in shared memory, of a warp.
struct SharedAccesses {
  double left = 0;  // loads that are left out
  double words = 0; // of each lane, in these
  double waits = 0; // wavefronts beyond one a word, of those that are made: lanes of one bank
};

struct MergedAccesses {
  std::map<uint32_t, double> loads; // left out of an instance, by the accessId of their sites
  SharedAccesses shared;
  unsigned iterations = 1;      // the most that a loop with such loads runs at once
  bool ofUnrolledLoops = false; // some were in another iteration of a loop that is unrolled fully

  double total() const; // of memory
  double of(uint32_t accessId) const;
};

MergedAccesses mergedAccesses(const ir::Function &kernel, const RegionExecutions &executions);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_MERGEDACCESSES_H

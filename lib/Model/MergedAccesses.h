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
// as many as it runs at once (four where nothing is said and their number is known). Cells are the
// same if their subscripts differ by what the counter has moved. A store that may be to the same
// cell, since its subscripts are other values, ends that.
//
// Invariant: no store is left out. An estimate: compilers see more, or less.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_MERGEDACCESSES_H
#define COLONNADE_MODEL_MERGEDACCESSES_H

#include "Model/OperationCounts.h"

namespace colonnade::model {

struct MergedAccesses {
  std::map<uint32_t, double> loads; // left out of an instance, by the accessId of their sites
  double ofShared = 0;              // likewise, of rows in shared memory
  unsigned iterations = 1;          // the most that a loop with such loads runs at once

  double total() const;
  double of(uint32_t accessId) const;
};

MergedAccesses mergedAccesses(const ir::Function &kernel, const RegionExecutions &executions);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_MERGEDACCESSES_H

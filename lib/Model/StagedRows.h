//===- StagedRows.h - Rows that a warp has in shared memory -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose warps stage the rows of their instances, and how often its regions are
// entered. Out: what it does beside the accesses of the source.
//
// Invariant: of a kernel without shared memory, nothing.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_STAGEDROWS_H
#define COLONNADE_MODEL_STAGEDROWS_H

#include "Model/OperationCounts.h"

namespace colonnade::model {

/// By array: whether it is the caller's, and copied to shared memory or from there.
std::vector<bool> stagedArrays(const ir::Function &kernel);

/// What a Stage copies: of each instance `width` cells from `first` on, or of these some.
struct StagedCopy {
  OpId stage;
  ArrayId memory, rows;
  int64_t first, width;
  bool isStore; // from the rows to memory
};
/// Counted from `first` on.
std::vector<int64_t> copiedCells(const ir::Function &kernel, const StagedCopy &copy);
/// Those that a thread makes, in their order.
struct StagedCopies {
  OpId stage;
  std::vector<StagedCopy> copies; // one for each time
};
std::vector<StagedCopies> stagedCopies(const ir::Function &kernel);

struct StagedWork {
  double accesses = 0; // of a warp to shared memory: words of 32 lanes; copies among them
  double waits = 0;    // of a thread, for what it copies from memory
  double barriers = 0; // that it waits at
  /// Waits among them for copies that were begun a strip before: what is done meanwhile hides them.
  double ahead = 0;
  double lists = 0; // of cells to copy, that it loads from device memory
};
StagedWork stagedWork(const ir::Function &kernel, const RegionExecutions &executions);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_STAGEDROWS_H

//===- RowStagingPlan.h - What goes through shared memory, and how -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads, complete, and how often it accesses each array. Out: which arrays of
// row-wise instances are staged, as rows or strip by strip; the arrays for that; threads a block.
// Invariant: no operation is changed here (RowStaging.cpp does that), and no block needs more
// shared memory than each has.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_ROWSTAGINGPLAN_H
#define COLONNADE_TRANSFORM_ROWSTAGINGPLAN_H

#include "IR/Function.h"

namespace colonnade {

/// An array that is staged, and what the kernel accesses in its place.
struct StagedArray {
  ArrayId memory;
  ArrayId rows;      // in shared memory, with all cells; or invalid
  ArrayId registers; // or invalid
  uint64_t cells = 0, width = 0;
  bool isRead = false;
  bool isDirect = false; // between memory and registers, by each thread itself
};

/// Of an array in registers.
struct RowStrip {
  const StagedArray *staged;
  uint64_t first, width; // cells
  ArrayId rows;          // in shared memory
};
/// Strips that are in shared memory at the same time.
using StripBatch = std::vector<RowStrip>;

struct RowStagingPlan {
  ir::Function kernel; // with these arrays, its operations as they were
  std::vector<StagedArray> staged = {};
  std::vector<StripBatch> in = {}, out = {};
  std::string reason = {}; // why nothing is staged although rows are worth copying; or empty

  bool isEmpty() const;
};

/// accesses, fullyWritten: by array; of an instance.
RowStagingPlan planRowStaging(const ir::Function &kernel, llvm::ArrayRef<uint64_t> accesses,
                              const std::vector<bool> &fullyWritten,
                              llvm::ArrayRef<uint64_t> mostCells = {});

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_ROWSTAGINGPLAN_H

//===- RowStaging.h - Row-wise instances through shared memory --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where instances lie row after row, neighbouring threads that access the same cell of theirs
// access memory a row apart: a sector for each. But the rows of a warp's instances are one piece of
// memory, which its lanes copy cell after cell, so that every sector is moved once.
//
// In: a kernel of threads, complete, and how often it accesses each array. Out: one for row-wise
// instances alone, which does the same for
//
//   arrays in registers  strip by strip: memory, a strip of each row in shared memory, registers,
//                        and back
//   other arrays         rows as a whole, which stay in shared memory meanwhile
//
// or none: no array of known size, or of a range of sizes, has rows that are worth copying, or a
// reason. Invariant: each operation of the kernel is run as it was, by each thread that has an
// instance.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_ROWSTAGING_H
#define COLONNADE_TRANSFORM_ROWSTAGING_H

#include "IR/Function.h"

namespace colonnade {

struct StagedRows {
  std::optional<ir::Function> kernel;
  std::string reason; // why there is none although rows are worth copying; or empty
};

/// accesses, fullyWritten: by array; of an instance. mostCells: LoweringOptions'.
StagedRows stageRows(const ir::Function &kernel, llvm::ArrayRef<uint64_t> accesses,
                     const std::vector<bool> &fullyWritten,
                     llvm::ArrayRef<uint64_t> mostCells = {});

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_ROWSTAGING_H

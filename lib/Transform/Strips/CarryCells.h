//===- CarryCells.h - Cells that a loop's iterations hand on ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, and which of its loads give what the thread has already (CellReuse.h). Out: the
// kernel without these loads:
//
//   for (j = lo; …) { l = row[j - 1]; … row[j] = x; }
//   l = row[lo - 1]; for (j = lo; …) (l) { … row[j] = x; l = x; }
//
// What each iteration loads anew from one cell is loaded once, before the loop.
//
// Invariant: each operation has the operands that it had; stores are as they were.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_CARRYCELLS_H
#define COLONNADE_TRANSFORM_STRIPS_CARRYCELLS_H

#include "Transform/Strips/CellReuse.h"

#include <map>

namespace colonnade {

struct CarriedCells {
  ir::Function kernel;
  std::map<OpId, OpId> loops; // that each loop has become
  std::vector<OpId> firsts;   // loads before loops
};

CarriedCells carryCells(const ir::Function &kernel, llvm::ArrayRef<CellReuse> reuse);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_CARRYCELLS_H

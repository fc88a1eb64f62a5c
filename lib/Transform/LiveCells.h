//===- LiveCells.h - Cells that copies need not take part in ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: how a kernel uses the cells of an array that it copies to shared memory, and perhaps back.
// Out: which of them are copied:
//
//   loaded  what is read before it is written; and what goes back, but may not be written
//   stored  what may be written
//
// Sectors are copied whole, where an instance's cells are neighbours: what is in one beside a cell
// that is written is loaded, too. Where few cells are dead, all are copied.
//
// Invariant: what is stored was loaded, or is written in any case.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LIVECELLS_H
#define COLONNADE_TRANSFORM_LIVECELLS_H

#include "IR/Type.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace colonnade {

struct CellUse {
  bool isReadFirst = false; // before it is written
  bool isWritten = false;   // perhaps
  bool isSurelyWritten = false;
};

struct LiveCells {
  std::vector<bool> loaded, stored; // by cell
};

/// together: cells that are copied together, or not at all; goesBack: what is written is copied
/// back.
LiveCells liveCells(llvm::ArrayRef<CellUse> uses, uint64_t together, bool goesBack);

uint64_t cellsOfSector(ir::ScalarType cell);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LIVECELLS_H

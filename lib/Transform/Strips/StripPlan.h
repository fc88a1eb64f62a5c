//===- StripPlan.h - Rows of a table in strips, in one thread ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads whose sizes are known, its accesses guarded, its arrays without a place.
// Out: the kernel in which nests as of dynamic programming (StripNest.h) do T rows together:
//
//   fuseRows                   two loops of a row are one
//   sinkStores                 a cell that both branches store to is stored to behind them
//   raiseLoads                 cells that branches load are loaded before them
//   findCellReuse, carryCells  what an iteration hands on to the next one of its row needs no cell:
//                              other rows may use it
//   jamNest, brokenDependence  T rows side by side, if no dependence is broken
//   findCellReuse, carryCells  what a row takes from the one above is in a register
//   mergeCarried, dropDeadStores  what that leaves twice, and what nothing loads any more
//
// So each cell that rows hand on is loaded and stored once in T rows. T is as large as there are
// registers for what T rows carry and need.
//
// Invariant: each operation has the operands that it has in the kernel, but for integers whose
// order is free (Reductions.h).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_STRIPPLAN_H
#define COLONNADE_TRANSFORM_STRIPS_STRIPPLAN_H

#include "Transform/Strips/StripNest.h"
#include "Transform/WalkBudget.h"

namespace colonnade {

struct StripPlan {
  std::optional<ir::Function> kernel;
  std::string reason; // why there is none; empty: there is no such nest
};

/// The most rows that are done together.
constexpr unsigned StripRows[] = {32, 24, 16, 12, 8, 6, 4, 2};

struct WantedStrips {
  bool areWanted = false; // else only where cells are loaded and stored far less often
  unsigned rows = 0;      // 0: as many as are best
};

/// isInRegisters: by array, all cells have registers in any case.
StripPlan planStrips(const ir::Function &kernel, const std::vector<bool> &isInRegisters,
                     WantedStrips wanted);

/// A nest with so many rows side by side. Not checked by its cost.
StripPlan stripNest(const ir::Function &kernel, const StripNest &nest, uint64_t rows,
                    WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_STRIPPLAN_H

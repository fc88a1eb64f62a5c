//===- TileNests.h - What a member does of a tiled nest ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tiled nest of a kernel, and where the member is in its team's grid. Out: what the member
// does of it, for all of its cells together; its u-th row is u * rows + its own:
//
//   for u: if (row u is in the nest) x[u] = a[i][k]        what depends on the row alone, once a
//   row for v: if (column v is) y[v] = b[k][j]                 on the column alone, once a column
//   for u, v: if (both are) sum[u][v] = sum[u][v] + x[u] * y[v]
//
// These loops are unrolled, and x, y and sum are in registers. A loop in the nest goes around such
// groups. What is computed from counters alone is computed where it is used. In a grid of one row a
// member has all rows: it takes some at a time, in a loop, and loads all of their cells first.
//
// Invariant: iterations of the nest do not depend on each other, so each group may run for all of
// them before the next. A member loads nothing that none of its iterations loads.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TILENESTS_H
#define COLONNADE_TRANSFORM_TEAMS_TILENESTS_H

#include "Transform/Teams/TileSlots.h"

#include "llvm/ADT/DenseMap.h"

namespace colonnade {

/// Cells that a member has in registers beside the common array, or in its place.
struct OwnRegisters {
  ArrayId array;
  OwnCells cells;
  bool areRows = false;  // of each row of the nest, so many columns
  bool areAlone = false; // nothing else accesses the array: what is stored goes there at the end
  std::vector<unsigned> columns = {}; // by slot of a member's rows: no member's has a cell beyond
};
/// Loads of them, which are left out; and stores, which are done twice unless they are alone. By
/// operation.
using OwnAccesses = llvm::DenseMap<uint32_t, OwnRegisters>;

/// At the builder's place. The nest's accesses are to rows in shared memory.
void emitTile(BlockBuilder &builder, TileSlots &slots, TileArrays &arrays, const OwnAccesses &own,
              const TiledNest &nest, const TileExtent &extent);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TILENESTS_H

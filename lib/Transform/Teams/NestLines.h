//===- NestLines.h - Which cells the iterations of a nest load --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop over k and a nest over i and j in it. Out: the cell that iteration (i, j) stores to,
// its own, of each array; and of each load of these arrays, whose own cell it is: this iteration's,
// or that of the one at (i, k), (k, j) or (k, k).
//
// Invariant: found by comparing expressions, with k in place of i or j. No cell of another
// iteration is loaded behind a store to its array: it is there as it was when the iteration began.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_NESTLINES_H
#define COLONNADE_TRANSFORM_TEAMS_NESTLINES_H

#include "IR/Function.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace colonnade {

/// The iteration that has a cell as its own: this one, or with k in place of its counters.
struct NestCell {
  bool rowIsK = false, columnIsK = false;
  bool isOwn() const { return !rowIsK && !columnIsK; }
  friend bool operator==(const NestCell &, const NestCell &) = default;
};

/// A loop with nothing in it but a nest of two.
struct SteppedNest {
  OpId steps, rows, columns;
};

struct NestLines {
  SteppedNest nest;
  std::map<uint32_t, OpId> stores;          // by array that is stored to: one of its stores
  llvm::DenseMap<uint32_t, NestCell> loads; // by operation, of these arrays
};

/// nullopt: a cell is another one, or no other iteration's is loaded; or there are loops in the
/// nest.
std::optional<NestLines> nestLines(const ir::Function &kernel, const SteppedNest &nest);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_NESTLINES_H

//===- SkewNests.h - Two loops in the order of wavefronts -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known, and a loop in which another one is all that is done. Out: the
// kernel with both in an order in which, for the right slope, the iterations of a step do not wait
// for each other: iteration (t, u), the t-th of the outer loop and the u-th of the inner one, is
// done in step s = a * t + u.
//
//   for (s = 0; s < most; ++s)
//     for (t = 0; t < n; ++t)          its t-th and (s - a * t)-th iteration, if there is one
//
// a = 0 does all rows side by side (a table's diagonals by their length), 1 is the wavefront of
// c[i][j] = f(c[i-1][j], c[i][j-1]), 2 that of one that needs c[i-1][j+1], too.
//
// Invariant: two accesses of a cell, of which one stores, are in the order that they had: found by
// walking the new order. Iterations are complete: operations of one keep theirs.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_SKEWNESTS_H
#define COLONNADE_TRANSFORM_TEAMS_SKEWNESTS_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

#include <optional>

namespace colonnade {

struct SkewedNest {
  ir::Function kernel;
  OpId steps, rows; // the loops over s and t
};

/// outer, inner: For loops that carry nothing, whose counters are not used behind them.
/// slope: a. nullopt: some access would come too early.
std::optional<SkewedNest> skewNest(const ir::Function &kernel, OpId outer, OpId inner,
                                   unsigned slope, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_SKEWNESTS_H

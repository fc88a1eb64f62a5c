//===- LoadsFirst.h - Loads of several iterations at once -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads whose sizes are known. Out: the same kernel, whose innermost loops that
// store to an array they load from, too, do so in strips of several iterations:
//
//   for (i = …; i += 4) {
//     for u in 0 … 3: a_ahead[u] = a[i + u], …     what no iteration of the strip stores to
//     for u in 0 … 3: the iteration, with these; what the one before has stored is carried
//   }
//
// A compiler leaves such loads behind the stores, as it cannot tell that they are of other cells:
// in a column, neighbours lie as far apart as there are instances.
//
// Invariant: by a walk, no load comes before a store of its cell that it was behind. A load that is
// made is one that its iteration makes.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LOADSFIRST_H
#define COLONNADE_TRANSFORM_LOADSFIRST_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

namespace colonnade {

/// For columns, as many iterations as have 16 loads. Loops with nothing to gain stay as they are.
void loadFirst(ir::Function &kernel, WalkBudget &budget);

/// For rows in shared memory: iterations that go through the cells of a row have those of 16 bytes
/// at once, from where such a piece of the row begins; those before and behind have strips of their
/// own.
void loadUnits(ir::Function &kernel, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LOADSFIRST_H

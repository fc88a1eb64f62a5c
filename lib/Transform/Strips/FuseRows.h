//===- FuseRows.h - Two loops of a row as one -------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known. Out: the kernel in which a loop that goes through a row
// again, as one that copies it to be the row above, is done along with the loop before it:
//
//   for (i …) {                                for (i …) {
//     for (j = 1; …) row[j] = f(above[j],        u = above[0]; above[0] = row[0];
//                               above[j - 1])    for (j = 1; …) { x = f(above[j], u); u = above[j];
//     for (j = 0; …) above[j] = row[j];                           row[j] = x; above[j] = row[j]; }
//   }                                          }
//
// What an iteration hands on to the next one is carried first (CarryCells.h), and the few
// iterations that the second loop has before and behind the first one's come before and behind
// both.
//
// Invariant: two accesses of a cell, of which one stores, are in the order that they had.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_FUSEROWS_H
#define COLONNADE_TRANSFORM_STRIPS_FUSEROWS_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

namespace colonnade {

/// All such loops; the kernel as it is where there are none.
ir::Function fuseRows(const ir::Function &kernel, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_FUSEROWS_H

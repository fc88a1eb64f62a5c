//===- SplitTriangles.h - Loops over rows that grow or shrink ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of the body whose iterations access more of a row, or less, from one to the next, as of a
// triangular matrix, becomes two or four loops one after the other:
//
//   for (i = 0; i < 32; ++i)    for (i = 0; i < 16; ++i)     16 cells of row i
//     … l[i * 32 + j], j <= i   for (i = 16; i < 32; ++i)    32 cells
//
// In: a kernel of threads, complete, all of whose sizes are known. Out: the same, with these loops.
// Invariant: the same operations in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_SPLITTRIANGLES_H
#define COLONNADE_TRANSFORM_SPLITTRIANGLES_H

#include "IR/Function.h"

namespace colonnade {

/// Where that saves much of what is copied.
void splitTriangles(ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_SPLITTRIANGLES_H

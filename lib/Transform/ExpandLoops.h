//===- ExpandLoops.h - Iterations that the compiler would not find -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, complete. Out: the same, in which loops without a counter that are to be unrolled
// fully (`while (bit > 0) ... bit /= 2`), and the loops around them, stand as their iterations,
// with all that is known folded.
//
// nvcc unrolls a loop of which it finds the number of iterations. Of these it does not, and where
// arrays are in registers because all subscripts are constants once loops are unrolled, they would
// go to local memory: a Fourier transform of 64 cells, column-wise, took six times as long.
//
// Invariant: what is computed stays the same. If one such loop begins with what is not known, as in
// a loop that data may end, the kernel is left as it was.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_EXPANDLOOPS_H
#define COLONNADE_TRANSFORM_EXPANDLOOPS_H

#include "IR/Function.h"

namespace colonnade {

void expandLoops(ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_EXPANDLOOPS_H

//===- Reductions.h - Carried values whose order is free --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop of a kernel and one of the values that it carries. Out: whether iterations may be done
// in any order as far as that value goes: each takes an integer to what one operation gives of it
// and of something else, and the operation is the same one throughout, of those for which the order
// of terms is free: sums, products, bits, the least and the greatest.
//
// Invariant: nothing but the operation and branches sees the value. No float: sums of floats depend
// on their order, and so do the least of 0 and -0.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_REDUCTIONS_H
#define COLONNADE_TRANSFORM_STRIPS_REDUCTIONS_H

#include "IR/Function.h"

namespace colonnade {

/// carried: the number of the value, without the counter.
bool isReduction(const ir::Function &kernel, OpId loop, size_t carried);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_REDUCTIONS_H

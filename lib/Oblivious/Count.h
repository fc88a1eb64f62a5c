//===- Count.h - How many accesses a certificate makes ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many accesses a certificate makes.
//
// In: a certificate. Out: a closed form over its parameters, for the report; or, where there is
// none and all sizes are fixed, their number.
// Invariant: a closed form is exact wherever no size is negative (a size is a parameter that
// extents are made of, or an unsigned one), also where loops run no iteration: for
// (i = 1; i < n; i++) counts max(n-1, 0).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_COUNT_H
#define COLONNADE_OBLIVIOUS_COUNT_H

#include "IR/Function.h"

namespace colonnade {

/// Accesses to instance parameters. Without a closed form they are counted one by one, if
/// neither a scalar nor the contents of an array decide and that takes no more than 200,000
/// operations; else Unknown.
SizeExpr countAccesses(const ir::Module &module, const ir::Function &certificate);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_COUNT_H

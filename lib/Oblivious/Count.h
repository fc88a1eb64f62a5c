//===- Count.h - How many accesses a certificate makes ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many accesses a certificate makes.
//
// In: a certificate. Out: a closed form over the sizes, for the report; or, where there is none
// and all sizes are fixed, their number.
// Invariant: it is exact at sizes where no loop that stands alone ends below its start, or
// Unknown.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_COUNT_H
#define COLONNADE_OBLIVIOUS_COUNT_H

#include "IR/Function.h"

namespace colonnade {

/// Accesses to instance parameters, for sizes at which no loop that stands alone ends below
/// its start. Without a closed form they are counted one by one, if neither a scalar nor the
/// contents of an array decide and that takes no more than 200,000 operations; else Unknown.
SizeExpr countAccesses(const ir::Module &module, const ir::Function &certificate);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_COUNT_H

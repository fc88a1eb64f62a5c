//===- Count.h - How many accesses a certificate makes ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many accesses a certificate makes.
//
// In: a certificate. Out: a closed form over the sizes, for the report.
// Invariant: it is exact at sizes where no loop that stands alone ends below its start, or
// Unknown.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_COUNT_H
#define COLONNADE_OBLIVIOUS_COUNT_H

#include "IR/Function.h"

namespace colonnade {

/// Accesses to instance parameters, for sizes at which no loop that stands alone ends below
/// its start; Unknown if there is no closed form. Work: one visit per operation.
SizeExpr countAccesses(const ir::Function &certificate);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_COUNT_H

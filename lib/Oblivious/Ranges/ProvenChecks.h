//===- ProvenChecks.h - Checks that no run fails ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical function. Out: the same without the checks whose condition holds at all sizes
// (Intervals.h), nor the comparisons that only they need.
//
// Normalize writes a check where it does not know a subscript (Walk/Accesses.cpp): most stand in
// loops with constant ends, which are only known once all loops are counted.
// Invariant: in no run would a check that is dropped here have failed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_PROVENCHECKS_H
#define COLONNADE_OBLIVIOUS_PROVENCHECKS_H

#include "IR/Function.h"

namespace colonnade {

void dropProvenChecks(ir::Function &function);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_PROVENCHECKS_H

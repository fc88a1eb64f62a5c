//===- FullyWritten.h - Which outputs need no copy-in -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical function. Out: per array, whether every cell is stored to in every
// run, whatever the data: then an output need not keep what the caller's memory held.
// Shown only for the plain cases: a store at the top level to an array of one cell, and
// a store at [i][j]… under counted loops i = 0 … extent - 1 with no condition around it.
// Invariant: false is always safe.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_FULLYWRITTEN_H
#define COLONNADE_OBLIVIOUS_FULLYWRITTEN_H

#include "IR/Function.h"

namespace colonnade {

std::vector<bool> fullyWrittenArrays(const ir::Function &function);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_FULLYWRITTEN_H

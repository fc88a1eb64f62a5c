//===- SharedRows.h - Rows of a warp's instances in shared memory -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an array of row-wise instances, how many cells of each are to be in shared memory. Out: an
// array with a row for each lane of a warp; how many bytes it takes. Invariant: rows are padded, so
// that the lanes' accesses to cells of the same number lie in different banks.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_SHAREDROWS_H
#define COLONNADE_TRANSFORM_SHAREDROWS_H

#include "IR/Function.h"

namespace colonnade {

uint64_t bytesOfRows(ir::ScalarType cell, uint64_t width);

/// Named as the array, and a suffix.
ArrayId addRows(ir::Function &kernel, ArrayId memory, uint64_t width, const char *suffix);

/// Of an array in registers: what is in them becomes a local array of its own, and the array is in
/// memory alone.
ArrayId splitRegisters(ir::Function &kernel, ArrayId array);

/// Of many of an array's cells, by an instance's accesses: whether to copy its rows. Guarded
/// accesses say which cell they miss, so they stay where they are.
bool isWorthCopying(const ir::Function &kernel, ArrayId array, uint64_t accesses);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_SHAREDROWS_H

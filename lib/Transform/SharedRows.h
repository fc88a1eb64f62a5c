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

/// How far apart rows lie, so that no bank is asked for twice where each thread accesses its own.
enum class RowPitch : uint8_t {
  Words, // by one cell at a time
  Units  // by 16 bytes at a time, which are copied at once, too
};

/// Bytes that are copied at once where rows lie so.
constexpr uint64_t UnitBytes = 16, WordBytes = 4;

uint64_t bytesOfRows(ir::ScalarType cell, uint64_t width, RowPitch pitch = RowPitch::Words);

/// Named as the array, and a suffix.
ArrayId addRows(ir::Function &kernel, ArrayId memory, uint64_t width, const char *suffix,
                RowPitch pitch = RowPitch::Words);

/// Of an array in registers: what is in them becomes a local array of its own, and the array is in
/// memory alone.
ArrayId splitRegisters(ir::Function &kernel, ArrayId array);

/// Whether an access of the array is checked as it happens.
bool isGuarded(const ir::Function &kernel, ArrayId array);

/// Whether a kernel may have an array's rows, or parts of them, in shared memory. Guarded accesses
/// say which cell they miss, so they stay where they are.
bool mayCopy(const ir::Function &kernel, ArrayId array);

/// Of so many cells that are copied.
bool areEnough(uint64_t accesses, uint64_t cells);

/// By an instance's accesses: whether to copy an array's rows.
bool isWorthCopying(const ir::Function &kernel, ArrayId array, uint64_t accesses);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_SHAREDROWS_H

//===- SharedRows.cpp - Rows of a warp's instances in shared memory -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/SharedRows.h"

#include "Transform/BlockBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

// An array of which fewer than one in so many cells is accessed is not copied as a whole.
static constexpr uint64_t SparseAccesses = 4;

/// Cells from one row of shared memory to the next: an odd number of words. Of cells of 8 bytes,
/// which half a warp accesses at once, an odd number.
/// Of an odd number of words, or of units.
static uint64_t pitchOf(uint64_t cells, uint64_t bytes, RowPitch pitch) {
  const uint64_t piece = pitch == RowPitch::Units ? UnitBytes : WordBytes,
                 perPiece = std::max<uint64_t>(1, piece / bytes),
                 pieces = (cells + perPiece - 1) / perPiece;
  return (pieces | 1) * perPiece;
}

uint64_t colonnade::bytesOfRows(ScalarType cell, uint64_t width, RowPitch pitch) {
  return LanesPerWarp * pitchOf(width, sizeBytes(cell), pitch) * sizeBytes(cell);
}

ArrayId colonnade::addRows(Function &kernel, ArrayId id, uint64_t width, const char *suffix,
                           RowPitch pitch) {
  const Array &memory = kernel.array(id);
  Array rows;
  rows.name = memory.name + suffix;
  rows.cell = memory.cell;
  rows.extents = {SizeExpr::constant(LanesPerWarp),
                  SizeExpr::constant(static_cast<int64_t>(width))};
  rows.sharing = Sharing::Warp;
  rows.reads = rows.writes = true;
  rows.loc = memory.loc;
  rows.space = Space::Shared;
  rows.pitch = pitchOf(width, sizeBytes(memory.cell), pitch);
  kernel.arrays.push_back(std::move(rows));
  return ArrayId(kernel.arrays.size() - 1);
}

ArrayId colonnade::splitRegisters(Function &kernel, ArrayId id) {
  Array &memory = kernel.array(id);
  Array registers = memory;
  memory.space = Space::Memory;
  memory.loadedFirst = false;
  memory.stored.clear();
  registers.name += "_cells";
  registers.role = ArrayRole::Local;
  registers.extents = {SizeExpr::constant(static_cast<int64_t>(*memory.constantCells()))};
  registers.loadedFirst = registers.isConst = false;
  registers.stored.clear();
  registers.writes = true;
  registers.parameter.clear();
  kernel.arrays.push_back(std::move(registers));
  return ArrayId(kernel.arrays.size() - 1);
}

bool colonnade::isGuarded(const Function &kernel, ArrayId array) {
  return llvm::any_of(kernel.ops, [&](const Op &op) { return op.guarded && op.array == array; });
}

bool colonnade::mayCopy(const Function &kernel, ArrayId id) {
  const Array &array = kernel.array(id);
  return hasLongRows(array) && array.space == Space::Memory && !isGuarded(kernel, id);
}

bool colonnade::areEnough(uint64_t accesses, uint64_t cells) {
  return accesses >= cells / SparseAccesses;
}

bool colonnade::isWorthCopying(const Function &kernel, ArrayId id, uint64_t accesses) {
  return mayCopy(kernel, id) && areEnough(accesses, *kernel.array(id).constantCells());
}

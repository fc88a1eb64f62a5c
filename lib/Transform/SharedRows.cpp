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
static uint64_t pitchOf(uint64_t cells, uint64_t bytes) {
  const uint64_t perWord = bytes < 4 ? 4 / bytes : 1, words = (cells + perWord - 1) / perWord;
  return (words | 1) * perWord;
}

uint64_t colonnade::bytesOfRows(ScalarType cell, uint64_t width) {
  return LanesPerWarp * pitchOf(width, sizeBytes(cell)) * sizeBytes(cell);
}

ArrayId colonnade::addRows(Function &kernel, ArrayId id, uint64_t width, const char *suffix) {
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
  rows.pitch = pitchOf(width, sizeBytes(memory.cell));
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

bool colonnade::isWorthCopying(const Function &kernel, ArrayId id, uint64_t accesses) {
  const Array &array = kernel.array(id);
  const bool isGuarded =
      llvm::any_of(kernel.ops, [&](const Op &op) { return op.guarded && op.array == id; });
  return hasLongRows(array) && array.space == Space::Memory && !isGuarded &&
         accesses >= *array.constantCells() / SparseAccesses;
}

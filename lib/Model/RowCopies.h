//===- RowCopies.h - How a warp copies the rows of its instances *- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a Stage of a kernel (StagedRows.h), how long rows are in memory. Out: the requests of a warp
// by which it copies them, and what these ask of memory and of banks.
//
// Lanes have the units of all rows in turn. A warp whose lanes all have an instance copies in
// unrolled code, 32 units at a time. Another one has a loop, of which the compiler makes one of
// four iterations at a time, a pair, and a single one (nvcc 13): lanes that have one more than
// others part from them where that is no multiple of four, and some units take a request more.
//
// Invariant: each unit is copied once.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_ROWCOPIES_H
#define COLONNADE_MODEL_ROWCOPIES_H

#include "IR/Function.h"

namespace colonnade::model {

/// Units of so many bytes.
struct RowCopy {
  int64_t units, width, first, unitBytes; // of an instance; in a row; before it
  int64_t lanes;
  int64_t instances; // of a warp
  int64_t base = 0;  // of the first instance's memory, from an aligned address

  /// Of each request of a warp with so many instances, the numbers of its units.
  using Requests = std::vector<llvm::SmallVector<int64_t, 32>>;
  Requests requests(int64_t rows) const;
  /// Wavefronts beyond one a request (two, of 8 bytes; four, of 16): rows lie `pitch` units apart,
  /// and are skewed by so many units.
  uint64_t excessWavefronts(int64_t rows, int64_t pitch, int64_t skew) const;
  /// 16 bytes are moved at once where rows lie so in memory and in shared memory, or cells that
  /// share words as words (stage.cuh).
  void useUnits(int64_t pitch, bool isSkewed);
  /// Of so many full warps and the rest behind them.
  uint64_t groupsOfAll(int64_t warps, int64_t rest, int64_t groupBytes) const;
  /// Whether, of a full warp, some lanes have one unit more than others.
  bool parts() const { return instances * width % lanes != 0; }

private:
  uint64_t groups(int64_t rows, int64_t groupBytes, int64_t start) const;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_ROWCOPIES_H

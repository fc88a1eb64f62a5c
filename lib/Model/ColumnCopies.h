//===- ColumnCopies.h - How columns are copied to rows ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a Stage of a kernel for columns (staged_columns in stage.cuh; of some cells alone
// staged_live_columns in stage_live.cuh), and how the caller's array
// lies. Out: the requests by which a group of warps, of one or of a block's, copies the cells of
// its instances, and what these ask of memory and of banks.
//
// A warp copies cells of up to 32 instances at once, neighbouring cells where there are fewer; each
// thread has one instance, and every cell of it that lies a team's cells further.
//
// Invariant: each cell is copied once. Cost: a step for each cell of a group, for as many groups as
// begin differently in their bytes.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_COLUMNCOPIES_H
#define COLONNADE_MODEL_COLUMNCOPIES_H

#include "IR/Function.h"
#include "Model/Arrangement.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace colonnade::model {

struct ColumnCopy {
  int64_t instances, team;           // of a group; threads of each
  int64_t first, width;              // cells of an instance that are copied
  int64_t bytes;                     // of a cell
  Arrangement memory;                // of the caller's array
  llvm::ArrayRef<int64_t> live = {}; // of these cells, those that are copied; empty: all

  /// A lane of a request.
  struct Copied {
    int64_t row, cell, number; // the latter in the list of live cells
  };
  using Request = llvm::SmallVector<Copied, 32>;
  /// Of a group with so many instances.
  void forEachRequest(int64_t rows, llvm::function_ref<void(const Request &)> visit) const;
  /// A full warp's.
  uint64_t requests() const;
  /// Groups of so many bytes that all ask for.
  uint64_t groups(int64_t groupBytes) const;
  /// Of live cells: groups of so many numbers of the list of them, which begins at one.
  uint64_t listGroups(int64_t numbersInGroup) const;
  /// Of all: wavefronts beyond one a request (two, of 8 bytes), of such rows.
  uint64_t excessWavefronts(const ir::Array &rows) const;

private:
  uint64_t ofBlocks(llvm::function_ref<uint64_t(int64_t rows)> ofBlock) const;
  int64_t copied() const { return live.empty() ? width : static_cast<int64_t>(live.size()); }
  uint64_t groupsOfBlock(int64_t block, int64_t rows, int64_t groupBytes) const;
  int64_t period(int64_t groupBytes) const;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_COLUMNCOPIES_H

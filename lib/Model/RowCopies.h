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
// unrolled code, 32 units at a time. Another one has a loop, which the compiler (nvcc 13) unrolls
// in one of several ways: lanes that have one more than others may part from them, and then some
// units take a request more.
//
// The hardware copies units of 4, 8 and 16 bytes to shared memory by itself. It moves in one
// wavefront what lies equally far from its place in memory, modulo 128 bytes; and of units of 16
// bytes it asks twice for a sector whose halves go to two sectors of shared memory. So an H200's
// counters say (docs/results/model_check.md).
//
// Invariant: each unit is copied once.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_ROWCOPIES_H
#define COLONNADE_MODEL_ROWCOPIES_H

#include "IR/Function.h"

namespace colonnade::model {

/// Where rows lie in shared memory.
struct RowPlaces {
  int64_t pitch; // units from row to row
  int64_t skew;  // a unit is free behind so many; 0: none
  int64_t warps; // of a block, whose rows lie one behind the other
};

/// The loop of a warp that is not full.
enum class RestLoop : uint8_t {
  FoursFirst, // four iterations at a time, a pair, and a single one: words
  OnesFirst,  // single ones until four at a time are left: units of 16 bytes, strips
  OneByOne,   // live units of 16 bytes
};

/// Units of so many bytes.
struct RowCopy {
  int64_t units, width, first, unitBytes; // of an instance; in a row; before it
  int64_t lanes;
  int64_t instances;                 // of a warp
  int64_t base = 0;                  // of the first instance's memory, from an aligned address
  bool isByHardware = false;         // to shared memory, of units of a word or more
  llvm::ArrayRef<int64_t> live = {}; // of a row's units, those that are copied; empty: all
  RestLoop rest = RestLoop::FoursFirst;

  /// Of each request of a warp with so many instances, the numbers of its units, of those that are
  /// copied.
  using Requests = std::vector<llvm::SmallVector<int64_t, 32>>;
  Requests requests(int64_t rows) const;
  /// Wavefronts beyond one a request (two, of 8 bytes; four, of 16), of the first warp.
  uint64_t excessWavefronts(int64_t rows, const RowPlaces &places) const;
  /// Whether there may be more: 16 bytes are moved, and not by whole halves of a line.
  bool mayTakeMore(const RowPlaces &places) const;
  /// 16 bytes are moved at once where rows lie so in memory and in shared memory, or cells that
  /// share words as words (stage.cuh).
  void useUnits(int64_t pitch, bool isSkewed);
  /// Groups of so many bytes that a warp asks for of which so many lanes have an instance.
  uint64_t groupsOfWarp(int64_t rows, int64_t groupBytes, int64_t warp,
                        const RowPlaces &places) const;
  /// Of so many full warps.
  uint64_t groupsOfAll(int64_t warps, int64_t groupBytes, const RowPlaces &places) const;
  /// Of live sectors: groups of so many numbers of the list of them, which begins at one. Each
  /// request waits for one that loads its lanes' numbers.
  uint64_t listGroups(int64_t warps, int64_t rest, int64_t numbersInGroup) const;
  /// Whether, of a full warp, some lanes have one unit more than others.
  bool parts() const { return instances * copied() % lanes != 0; }

private:
  int64_t copied() const { return live.empty() ? width : static_cast<int64_t>(live.size()); }
  int64_t inRow(int64_t unit) const;
  int64_t memoryByte(int64_t unit) const;
  int64_t sharedByte(int64_t unit, const RowPlaces &places) const;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_ROWCOPIES_H

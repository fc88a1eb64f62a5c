//===- WarpStages.h - The stages of all warps for one cell ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an array's arrangement, and a cell that all instances access at once. Out: k of each warp.
//
// From a warp to the next all addresses grow by the same amount, so k repeats with period
// group / gcd(group, growth). Only one period is computed, and the last warp, if it is not full.
//
// Invariant: a tile is as wide as a warp.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_WARPSTAGES_H
#define COLONNADE_MODEL_WARPSTAGES_H

#include "Model/Arrangement.h"
#include "Model/Stages.h"

#include <vector>

namespace colonnade::model {

struct WarpStages {
  std::vector<uint64_t> period; // of the full warps: k of warp i is period[i % size]
  uint64_t numFull = 0;
  uint64_t partial = 0; // of a last warp that is not full; 0: there is none

  uint64_t numWarps() const { return numFull + (partial > 0); }
  uint64_t of(uint64_t warp) const {
    return warp < numFull ? period[warp % period.size()] : partial;
  }
  uint64_t sum() const;
  /// Of the stages of one warp.
  uint64_t most() const;
  /// All warps have this number, if there is one.
  std::optional<uint64_t> common() const;
};

WarpStages warpStages(const MemoryMachine &machine, const Arrangement &arrangement, int64_t cell);
/// All threads request one address: a cell of an array that instances share.
WarpStages sharedStages(const MemoryMachine &machine, int64_t count);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_WARPSTAGES_H

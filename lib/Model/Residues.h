//===- Residues.h - Residues of a linear value ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a cell, linear in the iterations of closed loops. Out: how often each residue occurs over all
// iterations of all of them.
// Invariant: the counts that are added sum to the product of the iterations.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_RESIDUES_H
#define COLONNADE_MODEL_RESIDUES_H

#include "Model/LinearValue.h"

namespace colonnade::model {

/// The residues are those modulo counts.size().
void addResidues(std::vector<uint64_t> &counts, const LinearValue &cell, const LoopCounts &loops);

/// Of one loop: cells from `first` on, each `step` behind the one before, each so many times.
void addResidues(std::vector<uint64_t> &counts, int64_t first, int64_t step, uint64_t iterations,
                 uint64_t times);

/// Of cells that lie `turn` behind others, whose residues are given.
void addTurnedResidues(std::vector<uint64_t> &counts, llvm::ArrayRef<uint64_t> others,
                       const LinearValue &turn, const LoopCounts &loops);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_RESIDUES_H

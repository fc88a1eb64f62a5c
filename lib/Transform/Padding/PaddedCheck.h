//===- PaddedCheck.h - At each size, the same accesses ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both programmes are walked at every size, in every arm of branches on data: the accesses must be
// the same, one for one, each to the cell that stands for the other's; and all cells that are
// accessed must be copied before, those that are stored to afterwards.
//
// In: a function, what padding made of it, all sizes. Out: which cells are accessed, or where the
// two differ. Invariant: what passes names, at every size, the cells that the function names.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PADDING_PADDEDCHECK_H
#define COLONNADE_TRANSFORM_PADDING_PADDEDCHECK_H

#include "Transform/Padding/PaddedBody.h"

namespace colonnade {

/// By cell of a padded array.
struct PaddedCells {
  std::vector<bool> loaded, stored; // at some size
};

/// Of arrays as they would be padded; by array. nullopt: `reason` says why that is not known.
std::optional<std::vector<PaddedCells>> accessedCells(const ir::Function &function,
                                                      llvm::ArrayRef<PaddedArray> arrays,
                                                      const SizePoints &points,
                                                      std::string &reason);

/// Whether the two are the same at each size.
bool hasSameAccesses(const ir::Function &function, const PaddedBody &padded,
                     llvm::ArrayRef<PaddedCopy> copies, const SizePoints &points);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PADDING_PADDEDCHECK_H

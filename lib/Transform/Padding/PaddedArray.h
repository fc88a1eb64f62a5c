//===- PaddedArray.h - Where cells lie at the largest sizes -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical function, an array of it, the ranges of its sizes. Out: the array's dimensions,
// as its accesses see them, each with its largest extent; and each subscript as it is where every
// dimension has that: `c[i * n + j]` of n * n cells lies at i * 32 + j for n = 1 .. 32. Invariant:
// such a subscript depends on no size that has a range. That it names the same cell at every size,
// PaddedCheck.h shows.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PADDING_PADDEDARRAY_H
#define COLONNADE_TRANSFORM_PADDING_PADDEDARRAY_H

#include "Oblivious/Ranges/Affine.h"
#include "Transform/Padding/SizePoints.h"

namespace colonnade {

struct PaddedArray {
  ArrayId memory;                // the caller's
  std::vector<SizeExpr> extents; // of its dimensions, outermost first
  std::vector<int64_t> most;     // the largest of each

  uint64_t cells() const;
  /// Where a cell of the caller's lies at these sizes.
  uint64_t at(uint64_t cell, const SizePoint &sizes) const;
};

/// nullopt: `reason` says why.
std::optional<PaddedArray> padArray(const ir::Function &function, ArrayId array, Affine &affine,
                                    const SizePoints &points, std::string &reason);

/// In the array's cells; nullopt: the access names none that is known by its counters. Where the
/// array has one dimension, that is no rule: its subscripts stay as they are.
std::optional<Polynomial> paddedSubscript(const PaddedArray &array, const ir::Op &access,
                                          Affine &affine, const SizePoints &points);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PADDING_PADDEDARRAY_H

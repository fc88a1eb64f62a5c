//===- PaddedBody.h - A function with padded loops and arrays ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function, its padded loops and arrays, the cells to copy. Out: the function with them.
// Invariant: a padded loop's body runs where the loop's own bounds hold.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PADDING_PADDEDBODY_H
#define COLONNADE_TRANSFORM_PADDING_PADDEDBODY_H

#include "Transform/Padding/PaddedArray.h"
#include "Transform/Padding/PaddedLoop.h"

namespace colonnade {

/// An array and which of its padded cells are copied.
struct PaddedCopy {
  PaddedArray array;
  std::vector<bool> in, out; // by cell; empty: none
  ArrayId local = {};        // in the padded function
};

struct PaddingPlan {
  std::map<OpId, PaddedLoop> loops;
  std::vector<PaddedCopy> copies;
};

struct PaddedBody {
  ir::Function function;
  uint32_t firstCopy = 0; // accesses from this id on are those of copies
};

/// Sets PaddedCopy::local.
PaddedBody padBody(const ir::Function &function, PaddingPlan &plan, Affine &affine,
                   const SizePoints &points);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PADDING_PADDEDBODY_H

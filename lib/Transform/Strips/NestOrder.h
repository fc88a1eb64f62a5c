//===- NestOrder.h - Whether rows may be done side by side ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with a nest, and the one with rows of it side by side. Out: empty, or the dependence
// that the new order breaks:
//
//   "iteration (i, j) needs what iteration (i - 1, j + 1) stores to 'row'"      it comes later now
//   "iteration (i, j) needs a cell of 'row' that iteration (i + 1, j - 1) stores to"  sooner now
//
// Both kernels are walked with the values that sizes decide. A cell's content is the store that it
// comes from, or the stores, where branches on data may store over it: dependences are by value, so
// cells may be used for several things one after the other.
//
// Invariant: where it is empty, each load of the nest gives what it gave, and the nest leaves all
// cells as it left them, whatever the data.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_NESTORDER_H
#define COLONNADE_TRANSFORM_STRIPS_NESTORDER_H

#include "Transform/Strips/JamNest.h"
#include "Transform/WalkBudget.h"

namespace colonnade {

/// jammed: with a kernel, of `rows` rows together.
std::string brokenDependence(const ir::Function &kernel, const StripNest &nest,
                             const JammedNest &jammed, uint64_t rows, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_NESTORDER_H

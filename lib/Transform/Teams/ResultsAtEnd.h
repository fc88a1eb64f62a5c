//===- ResultsAtEnd.h - An array that is kept until the end -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known, and an array that callers pass, of which each load sees a
// store of the kernel. Out: what an array of the kernel's own in its place leaves to do at the end:
// the loops around its stores once more, with nothing in them but the copies of cells. So no cell
// that is not stored to is moved, and none is loaded from the caller.
//
// Invariant: each cell that the kernel stores to is copied once, whatever the data.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_RESULTSATEND_H
#define COLONNADE_TRANSFORM_TEAMS_RESULTSATEND_H

#include "IR/Clone.h"
#include "Transform/BlockBuilder.h"
#include "Transform/WalkBudget.h"

#include <optional>
#include <vector>

namespace colonnade {

/// All stores to the array. nullopt: data decides whether or where some are, or a cell is stored to
/// twice.
std::optional<std::vector<OpId>> storesOnce(const ir::Function &kernel, ArrayId array,
                                            WalkBudget &budget);

/// At the builder's place, where `cloner` has cloned what is before: array[cell] = own[cell] for
/// each cell of these stores.
void emitCopies(const ir::Function &from, ir::Cloner &cloner, BlockBuilder &builder,
                llvm::ArrayRef<OpId> stores, ArrayId array, ArrayId own);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_RESULTSATEND_H

//===- CellReuse.h - Loads of what is in a register already -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known, and innermost loops of it. Out: which loads give a value that
// the thread has, whatever the data:
//
//   of the same iteration    x = a[i]; … y = a[i], or a[i] = x; … y = a[i]
//   of the one before        for (j …) { l = row[j - 1]; … row[j] = x; }
//
// The second kind becomes a value that the loop carries (CarryCells.h). Found by a walk with the
// values that sizes decide, so subscripts may be any that are known.
//
// Invariant: each time the load is made, no other operation has stored to its cell since the value
// was stored or loaded; the operation that did is made whenever the load is.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_CELLREUSE_H
#define COLONNADE_TRANSFORM_STRIPS_CELLREUSE_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

#include <optional>

namespace colonnade {

struct CellReuse {
  enum class Kind : uint8_t { None, SameIteration, IterationBefore };
  Kind kind = Kind::None;
  OpId from; // a Load or Store; of IterationBefore, it may be the load itself
  OpId loop; // of IterationBefore
};

/// By operation. isWanted: by operation, loads to look at. nullopt: the walk is too long.
std::optional<std::vector<CellReuse>> findCellReuse(const ir::Function &kernel,
                                                    llvm::ArrayRef<OpId> loops,
                                                    const std::vector<bool> &isWanted,
                                                    WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_CELLREUSE_H

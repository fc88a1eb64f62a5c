//===- SplitLoops.h - Loops in parts ----------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function and one of its loops. Out: the function with the loop in parts, which other steps
// can treat each in its own way, and where the parts' loops are.
//
//   splitLoop       the iterations before a value, the one at it, and those after it:
//                   for (i = lo; i < min(hi, k); ++i) …; if (lo <= k && k < hi) …;
//                   for (i = max(lo, k + 1); i < hi; ++i) …
//   distributeLoop  one loop for each loop in it, and for what lies between them; only where
//                   iterations do not depend on each other
//
// Invariant: splitLoop changes no order; distributeLoop none within an iteration.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_SPLITLOOPS_H
#define COLONNADE_TRANSFORM_TEAMS_SPLITLOOPS_H

#include "IR/Function.h"

#include <optional>

namespace colonnade {

struct LoopParts {
  ir::Function kernel;
  llvm::SmallVector<OpId, 4> loops;
};

/// A For that counts upwards by one and carries nothing, not in a narrow type, in which the value
/// behind `at` might be the first one; `at`: of the counter's type, visible there.
bool isSplittable(const ir::Function &kernel, OpId loop, ValueId at);
enum class MiddlePart : uint8_t {
  Branch, // if (lo <= k && k < hi) …
  Loop    // for (i = max(lo, k); i < min(hi, k + 1); ++i) …
};
LoopParts splitLoop(const ir::Function &kernel, OpId loop, ValueId at,
                    MiddlePart middle = MiddlePart::Branch);

/// nullopt: there are not several parts, or they need values of each other that are not recomputed,
/// or a local array.
std::optional<LoopParts> distributeLoop(const ir::Function &kernel, OpId loop);

/// Whether something in the region stores to a local array.
bool storesToLocal(const ir::Function &kernel, RegionId region);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_SPLITLOOPS_H

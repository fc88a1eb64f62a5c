//===- FusePasses.h - Passes over cells that stay in registers --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known, and how many bits of a cell's number a thread has. Out: the
// kernel with consecutive passes (FindPasses.h) over an array *fused*: as long as all of them
// together only combine cells whose numbers differ in the same few bits, those cells are a *unit*,
// which needs no other cells until the last of these passes is done:
//
//   for (run …)                       for (unit = 0; unit < 2^7; ++unit)          bits 3, 4, 5
//     for (distance …)                  own[0 … 7] = a[the cells of the unit]
//       for (i = 0; i < 1024; ++i)  →   for each of the passes with distance 8, 16 or 32:
//         … a[i], a[i ^ distance]         for (j = 0; j < 4; ++j)      … own[r], own[r ^ c]
//                                       a[the cells of the unit] = own[0 … 7]
//
// The loop over units carries nothing, and a team can share it. Loops over own cells are unrolled,
// so that these are registers.
//
// Invariant: each iteration computes what it did, of the same operands; two iterations that access
// a cell keep their order.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_FUSEPASSES_H
#define COLONNADE_TRANSFORM_TEAMS_FUSEPASSES_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

#include <optional>

namespace colonnade {

struct FusedPasses {
  ir::Function kernel;
  unsigned passes = 0, groups = 0;
  unsigned mirrored = 0; // groups whose cells lie the other way round in half of the units
  uint64_t units = 0;    // the most that an array has
};

/// nullopt: nothing consists of passes of which several can be fused.
std::optional<FusedPasses> fusePasses(const ir::Function &kernel, unsigned bits,
                                      WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_FUSEPASSES_H

//===- CounterBits.h - What a loop carries, from its counter ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known. Out: the kernel in which loops carry nothing if all that they
// carry follows from the bits of their counters, and in which inner loops that compute such a value
// are gone:
//
//   for (i = 0, j = 0; i < 8; ++i) {       for (i = 0; i < 8; ++i) {
//     …                                →     j = (i & 1) << 2 | (i & 2) | i >> 2
//     for (bit = 4; bit & j; bit /= 2)       …
//       j ^= bit;                          }
//     j ^= bit;
//   }
//
// (The order of a Fourier transform.) Invariant: each value is what it was in each iteration, found
// by a walk of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_COUNTERBITS_H
#define COLONNADE_TRANSFORM_TEAMS_COUNTERBITS_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

#include <optional>

namespace colonnade {

/// nullopt: there is no such loop.
std::optional<ir::Function> carryNothing(const ir::Function &kernel, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_COUNTERBITS_H

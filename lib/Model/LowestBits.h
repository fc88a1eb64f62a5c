//===- LowestBits.h - i & -i of counters ------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a value that is linear in counters, and its negative. Out: their `and`, the lowest one of its
// bits, where it is the same in all iterations; else the iterations in parts in which it is:
//
//   i = 1 … 12    1 3 5 7 9 11    2 6 10    4 12    8
//
// Invariant: each iteration is in one part. Where it is 0 the value is 0.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_LOWESTBITS_H
#define COLONNADE_MODEL_LOWESTBITS_H

#include "Model/LinearValue.h"

namespace colonnade::model {

/// Some iterations of a loop, equally far from each other.
struct StridedPart {
  int64_t first, stride, count;
};

/// Of base + coefficient * iteration; a coefficient is not 0. At most 64 parts.
std::vector<StridedPart> lowestBitParts(int64_t base, int64_t coefficient, int64_t iterations);

/// nullopt: one is not the other's negative, or it is not known; then its parts are requested.
std::optional<LinearValue> lowestBit(ir::ScalarType type, const LinearValue &a,
                                     const LinearValue &b, const LoopCounts &loops,
                                     LoopRequests *requests);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LOWESTBITS_H

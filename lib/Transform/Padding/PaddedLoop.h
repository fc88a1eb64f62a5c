//===- PaddedLoop.h - Loops with the bounds of the largest sizes -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop whose bounds depend on sizes that have ranges. Out: bounds that hold at every size,
// and depend on none of them: `for (j = i; j < n - i; j++)` goes to 32 - i for n = 1 .. 32.
// Invariant: the loop's counter has every value that it has at some size, in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PADDING_PADDEDLOOP_H
#define COLONNADE_TRANSFORM_PADDING_PADDEDLOOP_H

#include "Transform/Padding/SizePoints.h"

namespace colonnade {

struct PaddedLoop {
  std::optional<Polynomial> low, high; // in counters; none: as it was, it depends on no range
  bool isCounterUsed = false;          // behind the loop
};

/// nullopt: none of its bounds depends on a range by what is polynomial; or, with a reason, it
/// cannot be padded.
std::optional<PaddedLoop> padLoop(const ir::Function &function, const ir::Op &loop, Affine &affine,
                                  const SizePoints &points, std::string &reason);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PADDING_PADDEDLOOP_H

//===- GeometricLoop.h - Loops that double or halve -------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops whose tested value each iteration multiplies or divides by a constant, the stages of
// butterflies: for (int len = 2; len <= n; len *= 2). They do not count, but end.
//
// In: a Loop of a canonical function. Out: whether it ends, as LoopEnd.h says it of counted ones.
// Invariant: under `Always`, or where the condition holds, the loop ends whatever its body does;
// `Never` says only that nothing shows it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_GEOMETRICLOOP_H
#define COLONNADE_OBLIVIOUS_GEOMETRICLOOP_H

#include "Oblivious/LoopEnd.h"

namespace colonnade {

struct GeometricEnd {
  LoopEnd end = LoopEnd::Never;
  ValueId limit;       // Checked: the loop ends if limit <= largest
  int64_t largest = 0; // a step from it does not wrap
};

GeometricEnd geometricEnd(const ir::Function &function, const ir::Op &loop);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_GEOMETRICLOOP_H

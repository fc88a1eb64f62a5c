//===- UncountedLoop.h - Loops that end, but are no For ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops whose tested value each iteration multiplies or divides by a constant, the stages of
// butterflies (for (int len = 2; len <= n; len *= 2)), and counters that are narrower than their
// limit (for (uint8_t i = 0; i < n; i++)). They are no For, but end.
//
// In: a Loop of a canonical function. Out: whether it ends, as LoopEnd.h says it of counted ones.
// Invariant: under `Always`, or where the limit is in its range, the loop ends whatever its body
// does; `Never` says only that nothing shows it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_UNCOUNTEDLOOP_H
#define COLONNADE_OBLIVIOUS_UNCOUNTEDLOOP_H

#include "Oblivious/Ranges/LoopEnd.h"

namespace colonnade {

struct UncountedEnd {
  LoopEnd end = LoopEnd::Never;
  ValueId limit; // Checked: the loop ends if least <= limit <= largest
  std::optional<int64_t> least, largest;
  std::optional<uint64_t> mostIterations = {}; // whatever the data, by the type of x
};

UncountedEnd uncountedEnd(const ir::Function &function, const ir::Op &loop);

/// Of a loop that is `Checked`: appends the condition; `limit` is the limit where the builder is.
ValueId endCondition(ir::Builder &builder, const UncountedEnd &end, ValueId limit);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_UNCOUNTEDLOOP_H

//===- OrderFreeChains.h - Least values of any order ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads whose sizes are known, and a loop that carries the least value (or the
// greatest) of those that its iterations compute:
//
//   least = inf; for (k = …) { t = …; if (t < least) least = t; }
//
// Out: the parts of that chain, if its result does not depend on the iterations' order. Of integers
// it never does. Of floats `t < least ? t : least` does where zeros of both signs meet, as they are
// equal and the first one stays; and where a NaN is carried. So two facts are derived:
//
//   never NaN   the chain starts at a constant that is none, and takes t only where t < least
//   never -0    by induction over all that the kernel computes and stores: a sum is -0 only if both
//               terms are, and what an array holds is what was stored, if each load sees a store
//
// Invariant: a fact holds for every input, NaN, infinities and zeros of both signs included.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_ORDERFREECHAINS_H
#define COLONNADE_TRANSFORM_TEAMS_ORDERFREECHAINS_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

#include <optional>

namespace colonnade {

struct LeastChain {
  ValueId carried, candidate; // in the loop's body
  OpId comparison, choice;    // choice: an If or a Select
  bool isGreatest = false;
  bool isMinimum = false; // of floats: fmin, or fmax, gives the same bits
};

/// By array: each load sees a store, whatever the data.
std::vector<bool> storedFirst(const ir::Function &kernel, WalkBudget &budget);

/// By value: of floats, whether it is -0 in no run.
std::vector<bool> neverNegativeZero(const ir::Function &kernel, std::vector<bool> storedFirst);

/// nullopt: the loop is no such chain, or its order matters.
std::optional<LeastChain> orderFreeChain(const ir::Function &kernel, OpId loop,
                                         const std::vector<bool> &neverNegativeZero);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_ORDERFREECHAINS_H

//===- Bounds.h - The largest and smallest value of an index ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest and smallest value of an index.
//
// In: the index as a polynomial, and what holds where it is used. Out: a bound over
// parameters. Counters are eliminated one by one, the innermost first: where the index
// is monotone in a counter, it takes the counter's last or first value, or what an
// enclosing condition allows.
// Invariant: no index lies beyond the bound; `exact` says that the index takes it (if
// all loops run, and without conditions).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_BOUNDS_H
#define COLONNADE_OBLIVIOUS_BOUNDS_H

#include "Oblivious/Ranges/Affine.h"

namespace colonnade {

/// What holds at a point of the programme.
struct Context {
  std::vector<std::optional<CounterRange>> loops; // outermost first
  std::vector<Polynomial> conditions;             // each >= 0
  bool conditional = false;                       // below an If or behind an exit: may not run
};

struct Bound {
  Polynomial value; // over parameters and atoms
  bool exact = true;
};

std::optional<Bound> largest(const Polynomial &index, const Context &context);
std::optional<Bound> smallest(const Polynomial &index, const Context &context);

/// Shown for parameters of at least 1.
bool atLeast(const Polynomial &a, const Polynomial &b);

/// Conditions that hold where `condition` is `truth`, as polynomials >= 0.
void addConditions(const ir::Function &function, Affine &affine, ValueId condition, bool truth,
                   std::vector<Polynomial> &conditions);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_BOUNDS_H

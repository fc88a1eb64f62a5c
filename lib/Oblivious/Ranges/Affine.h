//===- Affine.h - Indices as polynomials, and their ranges ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A uniform integer value as a polynomial in scalar parameters and counters of For
// loops.
//
// In: values of a canonical function. Out: their polynomials; the range of a For's
// counter. What is not polynomial but made of parameters alone, such as n/2, becomes a
// name of its own (an atom) that stands for a SizeExpr.
// Invariant: the polynomial has the value's own value wherever the sequential function
// neither overflows nor wraps. Ranges are bounds for sizes of at least 1: they are
// used for extents, which are checked exactly before launch, and for texts, never for
// the verdict itself.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_AFFINE_H
#define COLONNADE_OBLIVIOUS_AFFINE_H

#include "IR/Function.h"
#include "Support/Polynomial.h"

namespace colonnade {

/// The counter of a For takes first, first + step, ... (iterations values).
struct CounterRange {
  std::string counter;
  Polynomial first;
  int64_t step = 1;
  Polynomial iterations; // may be negative where the loop does not run
};

class Affine {
public:
  explicit Affine(const ir::Function &function);
  enum class End { Least, Largest }; // of a type's numbers

  /// nullopt if the value is not polynomial.
  std::optional<Polynomial> of(ValueId id);
  /// What is compared, or what a loop begins or ends at: a constant is its value, not what a sum
  /// would make of it (254 of a byte, where of() says -2).
  std::optional<Polynomial> limit(ValueId id);
  /// nullopt if the bounds are not polynomial or the step is not constant.
  std::optional<CounterRange> range(const ir::Op &forOp);
  /// What must not be below zero so that range() is right: unsigned numbers that the loop compares,
  /// what numbers that were converted leave of their type, and the first step of a do-while.
  std::vector<Polynomial> wherePositive(const ir::Op &forOp);
  /// As a SizeExpr over parameters, atoms replaced; Unknown if a counter is left.
  SizeExpr size(const Polynomial &p) const;
  /// A name for `kind` of two polynomials in parameters alone.
  std::optional<Polynomial> atom(SizeExpr::Kind kind, const Polynomial &a, const Polynomial &b);
  /// What the name of an atom stands for; null: it is the name of a parameter or a counter.
  const SizeExpr *findAtom(const std::string &name) const;
  static std::string counterName(ValueId counter);
  static bool isCounter(const std::string &name) { return name[0] == '%'; }

private:
  std::optional<Polynomial> compute(ValueId id);
  /// Whether it may be another number than its polynomial says, of which it has the lowest bits.
  bool mayBeCut(ValueId id, End end);
  void addUnsigned(ValueId id, std::vector<Polynomial> &found);
  void addUnsignedParts(ValueId id, std::vector<Polynomial> &found);
  std::optional<Polynomial> divide(const Polynomial &a, const Polynomial &b);

  const ir::Function &function_;
  std::map<ValueId, std::optional<Polynomial>> values_;
  std::map<std::string, SizeExpr> atoms_;
  static constexpr unsigned maxDepth = 100; // of an expression
  unsigned depth_ = 0;
};

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_AFFINE_H

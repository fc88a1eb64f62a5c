//===- PaddedLoop.cpp - Loops with the bounds of the largest sizes --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Padding/PaddedLoop.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

enum class End { Least, Most };

/// The bound with its part that depends on ranges at its least or most; that part has no counter.
static std::optional<Polynomial> boundAt(const Polynomial &bound, End end, const Affine &affine,
                                         const SizePoints &points) {
  Polynomial kept, ofRanges;
  for (const auto &[monomial, coefficient] : bound.terms()) {
    Polynomial term(coefficient);
    for (const auto &[name, power] : monomial)
      for (unsigned i = 0; i < power; ++i)
        term = term * Polynomial::name(name);
    (points.dependsOnRange(term, affine) ? ofRanges : kept) =
        (points.dependsOnRange(term, affine) ? ofRanges : kept) + term;
  }
  const std::optional<SizeRange> range = points.extremes(affine.size(ofRanges));
  if (!range || llvm::any_of(kept.names(), [&](const std::string &name) {
        return affine.findAtom(name) != nullptr;
      }))
    return std::nullopt;
  return kept + Polynomial(end == End::Least ? range->least : range->most);
}

static bool dependsOnRange(const std::optional<Polynomial> &bound, const Affine &affine,
                           const SizePoints &points) {
  return bound && points.dependsOnRange(*bound, affine);
}

static bool isUsed(const Function &function, ValueId value) {
  return llvm::any_of(function.ops,
                      [&](const Op &op) { return llvm::is_contained(op.operands, value); });
}

/// Why a loop with such bounds stays as it is.
static std::string refusalOf(const Function &function, const Op &loop, bool isLowOfRange,
                             bool isCounterUsed) {
  const Scalar *step = function.constant(loop.operands[2]);
  if (loop.postTest)
    return "a loop with its test at the end has a bound that depends on the size";
  if (!step)
    return "the step of a loop whose bounds depend on the size is not constant";
  if (loop.predicate == Predicate::Ne)
    return "a loop ends where its counter equals something that depends on the size";
  const int64_t by = asStep(loop, *step);
  const bool isUp = loop.predicate == Predicate::Lt || loop.predicate == Predicate::Le;
  if (by == 0 || (by > 0) != isUp)
    return "a loop whose bounds depend on the size goes away from its end";
  if (isLowOfRange && by != 1 && by != -1)
    return "a loop with a step other than 1 begins where the size says";
  if (isCounterUsed && ((by != 1 && by != -1) || loop.hasContinueFlag))
    return "what a loop that depends on the size leaves in its counter is used";
  return "";
}

std::optional<PaddedLoop> colonnade::padLoop(const Function &function, const Op &loop,
                                             Affine &affine, const SizePoints &points,
                                             std::string &reason) {
  const std::optional<Polynomial> low = affine.of(loop.operands[0]),
                                  high = affine.of(loop.operands[1]);
  const bool isLow = dependsOnRange(low, affine, points),
             isHigh = dependsOnRange(high, affine, points);
  if (!isLow && !isHigh)
    return std::nullopt;
  PaddedLoop result;
  result.isCounterUsed = isUsed(function, loop.results[0]);
  reason = refusalOf(function, loop, isLow, result.isCounterUsed);
  if (!reason.empty())
    return std::nullopt;
  const bool isUp = asStep(loop, *function.constant(loop.operands[2])) > 0;
  if (isLow)
    result.low = boundAt(*low, isUp ? End::Least : End::Most, affine, points);
  if (isHigh)
    result.high = boundAt(*high, isUp ? End::Most : End::Least, affine, points);
  if ((isLow && !result.low) || (isHigh && !result.high)) {
    reason = "a bound of a loop depends on the size and a counter together";
    return std::nullopt;
  }
  return result;
}

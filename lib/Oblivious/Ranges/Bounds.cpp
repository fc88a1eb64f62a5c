//===- Bounds.cpp - The largest and smallest value of an index ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/Bounds.h"

#include <algorithm>

namespace colonnade {

using ir::Op;
using ir::Opcode;

bool atLeast(const Polynomial &a, const Polynomial &b) {
  Polynomial difference = a - b;
  return difference.valid() && difference.isNonNegative(1);
}

/// The largest and smallest value of a counter, by its loop alone.
static std::pair<Polynomial, Polynomial> ends(const CounterRange &range) {
  Polynomial last = range.first + Polynomial(range.step) * (range.iterations - Polynomial(1));
  return range.step > 0 ? std::pair(last, range.first) : std::pair(range.first, last);
}

/// Is `p` >= 0 (or <= 0) for all values of the counters of `loops`? Bounds each
/// counter in turn; the recursion is as deep as the loops are nested.
static bool hasSign(const Polynomial &p, const Context &context, size_t loops, bool nonNegative) {
  if (!p.valid())
    return false;
  for (size_t k = loops; k-- > 0;) {
    if (!context.loops[k] || p.degree(context.loops[k]->counter) == 0)
      continue;
    const CounterRange &range = *context.loops[k];
    if (p.degree(range.counter) > 1)
      return false;
    auto [high, low] = ends(range);
    return hasSign(p.substitute(range.counter, high), context, k, nonNegative) &&
           hasSign(p.substitute(range.counter, low), context, k, nonNegative);
  }
  for (const std::string &name : p.names())
    if (Affine::isCounter(name))
      return false;
  return nonNegative ? p.isNonNegative(1) : (Polynomial() - p).isNonNegative(1);
}

/// +1 if growing in the counter of loop k, -1 if falling, nullopt if not shown.
static std::optional<int> direction(const Polynomial &p, const Context &context, size_t k) {
  const CounterRange &range = *context.loops[k];
  std::vector<Polynomial> c = p.coefficients(range.counter);
  if (c.size() == 2) {
    if (hasSign(c[1], context, k, true))
      return 1;
    if (hasSign(c[1], context, k, false))
      return -1;
    return std::nullopt;
  }
  // Of higher degree: monotone where the counter and all coefficients are >= 0.
  if (!hasSign(ends(range).second, context, k, true))
    return std::nullopt;
  for (size_t power = 1; power < c.size(); ++power)
    if (!hasSign(c[power], context, k, true))
      return std::nullopt;
  return 1;
}

namespace {
struct Choice {
  Polynomial value;
  bool fromLoop = true;
};
} // namespace

/// The best known upper (or lower) end of the counter of loop k.
static Choice chooseEnd(const Context &context, size_t k, bool upper) {
  const CounterRange &range = *context.loops[k];
  auto [high, low] = ends(range);
  Choice best{upper ? high : low};
  for (const Polynomial &condition : context.conditions) {
    std::vector<Polynomial> c = condition.coefficients(range.counter);
    // counter * sign + rest >= 0
    if (c.size() != 2 || c[1] != Polynomial(upper ? -1 : 1))
      continue;
    Polynomial end = upper ? c[0] : Polynomial() - c[0];
    bool looser = upper ? atLeast(end, best.value) : atLeast(best.value, end);
    if (!looser)
      best = {end, false};
  }
  return best;
}

static std::optional<Bound> extreme(Polynomial index, const Context &context, bool upper) {
  constexpr size_t maxLoops = 10; // signs are shown at 2^loops corners
  if (context.loops.size() > maxLoops)
    return std::nullopt;
  Bound bound;
  for (size_t k = context.loops.size(); k-- > 0;) {
    if (!context.loops[k])
      continue; // whether its counter occurs is seen at the end
    const std::string &counter = context.loops[k]->counter;
    if (index.degree(counter) == 0)
      continue;
    std::optional<int> sign = direction(index, context, k);
    if (!sign)
      return std::nullopt;
    Choice end = chooseEnd(context, k, (*sign > 0) == upper);
    bound.exact &= end.fromLoop;
    index = index.substitute(counter, end.value);
  }
  if (!index.valid())
    return std::nullopt;
  for (const std::string &name : index.names())
    if (Affine::isCounter(name))
      return std::nullopt;
  bound.value = index;
  return bound;
}

std::optional<Bound> largest(const Polynomial &index, const Context &context) {
  return extreme(index, context, true);
}

std::optional<Bound> smallest(const Polynomial &index, const Context &context) {
  return extreme(index, context, false);
}

static bool isBool(const ir::Function &function, ValueId value, bool truth) {
  const ir::Scalar *constant = function.constant(value);
  return constant && constant->type == ir::ScalarType::Bool && (constant->bits != 0) == truth;
}

/// What `a >= b` and its like say, where their operands are polynomials.
static void addComparison(const Op &def, bool truth, Affine &affine,
                          std::vector<Polynomial> &conditions) {
  if (!isComparison(def.opcode))
    return;
  Opcode opcode = def.opcode;
  if (!truth)
    opcode = inverted(opcode);
  std::optional<Polynomial> a = affine.limit(def.operands[0]), b = affine.limit(def.operands[1]);
  if (!a || !b)
    return;
  if (opcode == Opcode::Lt || opcode == Opcode::Le)
    std::swap(a, b);
  Polynomial difference = *a - *b; // > 0 or >= 0
  switch (opcode) {
  case Opcode::Lt:
  case Opcode::Gt:
    conditions.push_back(difference - Polynomial(1));
    break;
  case Opcode::Eq:
    conditions.push_back(Polynomial() - difference);
    [[fallthrough]];
  case Opcode::Le:
  case Opcode::Ge:
    conditions.push_back(difference);
    break;
  default:
    break;
  }
}

// Of a chain of thousands of conditions, each branch would go through all before it.
static constexpr size_t MaxConditions = 64; // of one branch, the nearest first

void addConditions(const ir::Function &function, Affine &affine, ValueId condition, bool truth,
                   std::vector<Polynomial> &conditions) {
  std::vector<std::pair<ValueId, bool>> work = {{condition, truth}};
  for (size_t next = 0; next < work.size() && next < MaxConditions; ++next) {
    auto [value, holds] = work[next];
    const Op *def = function.definition(value);
    if (!def)
      continue;
    if (def->opcode == Opcode::Not)
      work.push_back({def->operands[0], !holds});
    else if (def->opcode != Opcode::If)
      addComparison(*def, holds, affine, conditions);
    else // a && b is if (a) b else false; a || b is if (a) true else b
      for (unsigned arm = 0; arm < 2; ++arm) {
        unsigned index = function.value(value).index;
        ValueId other = function.terminator(def->regions[1 - arm]).operands[index];
        if (!isBool(function, other, !holds))
          continue;
        work.push_back({def->operands[0], arm == 0});
        work.push_back({function.terminator(def->regions[arm]).operands[index], holds});
      }
  }
}

} // namespace colonnade

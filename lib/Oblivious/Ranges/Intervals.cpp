//===- Intervals.cpp - Values between two constants -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/Intervals.h"

#include "llvm/Support/MathExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static bool fits(const Interval &interval, ScalarType type) {
  if (!isInteger(type))
    return false;
  const unsigned width = bitWidth(type);
  if (!isSigned(type))
    return interval.low >= 0 && (width == 64 || llvm::isUIntN(width, interval.high));
  return llvm::isIntN(width, interval.low) && llvm::isIntN(width, interval.high);
}

std::optional<Interval> Intervals::of(ValueId id) {
  if (auto known = known_.find(id); known != known_.end())
    return known->second;
  if (depth_ == MaxDepth)
    return std::nullopt;
  ++depth_;
  std::optional<Interval> found = compute(id);
  --depth_;
  if (found && !fits(*found, function_.value(id).type))
    found.reset();
  known_[id] = found;
  return found;
}

static std::optional<Interval> ofConstant(const Scalar &scalar) {
  if (!isInteger(scalar.type))
    return std::nullopt;
  const unsigned width = bitWidth(scalar.type);
  const int64_t value = isSigned(scalar.type) && width < 64 ? llvm::SignExtend64(scalar.bits, width)
                                                            : static_cast<int64_t>(scalar.bits);
  if (!isSigned(scalar.type) && value < 0)
    return std::nullopt;
  return Interval{value, value};
}

std::optional<Interval> Intervals::compute(ValueId id) {
  const Op *def = function_.definition(id);
  if (!def)
    return ofArgument(function_.value(id));
  switch (def->opcode) {
  case Opcode::Constant:
    return ofConstant(def->scalar);
  case Opcode::Cast:
    return of(def->operands[0]);
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
    return ofArithmetic(*def);
  case Opcode::And:
    return ofAnd(*def);
  case Opcode::Rem:
    return ofRemainder(*def);
  default:
    return std::nullopt;
  }
}

/// Of intervals from 0 on.
static std::optional<Interval> product(const Interval &a, const Interval &b) {
  Interval result;
  if (a.low < 0 || b.low < 0 || llvm::MulOverflow(a.low, b.low, result.low) ||
      llvm::MulOverflow(a.high, b.high, result.high))
    return std::nullopt;
  return result;
}

std::optional<Interval> Intervals::ofArithmetic(const Op &op) {
  std::optional<Interval> a = of(op.operands[0]), b = of(op.operands[1]);
  if (!a || !b)
    return std::nullopt;
  if (op.opcode == Opcode::Mul)
    return product(*a, *b);
  const bool sum = op.opcode == Opcode::Add;
  Interval result;
  const bool overflows = sum ? llvm::AddOverflow(a->low, b->low, result.low) |
                                   llvm::AddOverflow(a->high, b->high, result.high)
                             : llvm::SubOverflow(a->low, b->high, result.low) |
                                   llvm::SubOverflow(a->high, b->low, result.high);
  return overflows ? std::nullopt : std::optional(result);
}

/// x & mask is not larger than a mask that is not negative, whatever x is.
std::optional<Interval> Intervals::ofAnd(const Op &op) {
  std::optional<Interval> result;
  for (ValueId operand : op.operands)
    if (std::optional<Interval> mask = of(operand); mask && mask->low >= 0)
      result = Interval{0, result ? std::min(result->high, mask->high) : mask->high};
  return result;
}

/// x % d, of an x that is not negative; what is unsigned never is.
std::optional<Interval> Intervals::ofRemainder(const Op &op) {
  std::optional<Interval> value = of(op.operands[0]), divisor = of(op.operands[1]);
  const bool isPositive =
      !isSigned(function_.value(op.operands[0]).type) || (value && value->low >= 0);
  if (!isPositive || !divisor || divisor->low <= 0)
    return std::nullopt;
  return Interval{0, divisor->high - 1};
}

const Value &Intervals::counter(const Op &loop) const {
  return function_.value(function_.region(loop.regions[0]).args[0]);
}

/// The values that a counter has in the body: where it runs, the test has just held.
static std::optional<Interval> tested(Predicate predicate, const Interval &first,
                                      const Interval &bound, const Interval &step) {
  const bool isUp = step.low > 0, isDown = step.high < 0;
  const bool isUnit = step.low == step.high && (step.low == 1 || step.low == -1);
  const bool isConstant = first.low == first.high && bound.low == bound.high;
  const bool meets =
      isUnit && isConstant && (isUp ? first.low <= bound.low : bound.low <= first.low);
  if (isUp && bound.high > INT64_MIN &&
      (predicate == Predicate::Lt || (predicate == Predicate::Ne && meets)))
    return Interval{first.low, bound.high - 1};
  if (isUp && predicate == Predicate::Le)
    return Interval{first.low, bound.high};
  if (isDown && bound.low < INT64_MAX &&
      (predicate == Predicate::Gt || (predicate == Predicate::Ne && meets)))
    return Interval{bound.low + 1, first.high};
  if (isDown && predicate == Predicate::Ge)
    return Interval{bound.low, first.high};
  return std::nullopt;
}

/// The counter of a For with constant ends that runs. A step that leaves the counter's type
/// could bring it to the other side of where it began.
std::optional<Interval> Intervals::ofArgument(const Value &value) {
  const OpId parent = function_.region(value.region).parent;
  if (!parent || value.index != 0)
    return std::nullopt;
  const Op &loop = function_.op(parent);
  if (loop.opcode != Opcode::For || loop.postTest)
    return std::nullopt;
  std::optional<Interval> first = of(loop.operands[0]), bound = of(loop.operands[1]),
                          step = of(loop.operands[2]);
  if (!first || !bound || !step)
    return std::nullopt;
  std::optional<Interval> range = tested(loop.predicate, *first, *bound, *step);
  if (!range || range->high < range->low)
    return std::nullopt;
  Interval behind = *range;
  if (step->low > 0 ? llvm::AddOverflow(range->high, step->high, behind.high)
                    : llvm::AddOverflow(range->low, step->low, behind.low))
    return std::nullopt;
  return fits(behind, value.type) ? range : std::nullopt;
}

std::optional<uint64_t> Intervals::iterations(const Op &loop) {
  if (loop.hasContinueFlag || loop.postTest)
    return std::nullopt;
  std::optional<Interval> low = of(loop.operands[0]), high = of(loop.operands[1]),
                          step = of(loop.operands[2]);
  if (!low || !high || !step || low->low != low->high || high->low != high->high ||
      step->low != step->high || step->low <= 0 ||
      (loop.predicate != Predicate::Lt && loop.predicate != Predicate::Le) ||
      !ofArgument(counter(loop)))
    return std::nullopt;
  int64_t distance;
  if (llvm::SubOverflow(high->low, low->low, distance))
    return std::nullopt;
  distance -= loop.predicate == Predicate::Lt; // of the last counter that may be
  return static_cast<uint64_t>(distance) / static_cast<uint64_t>(step->low) + 1;
}

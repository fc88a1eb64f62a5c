//===- LinearValue.cpp - Values linear in iterations ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/LinearValue.h"

#include "Model/LowestBits.h"
#include "Model/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Scalar;
using ir::ScalarType;
using Kind = LinearValue::Kind;
using Operands = llvm::ArrayRef<const LinearValue *>;

std::optional<std::pair<int64_t, int64_t>> range(const LinearValue &value,
                                                 const LoopCounts &loops) {
  int64_t least = ir::asInt64(value.scalar), most = least;
  for (auto [loop, coefficient] : value.terms) {
    int64_t change;
    if (__builtin_mul_overflow(coefficient, loops[loop] - 1, &change) ||
        __builtin_add_overflow(change < 0 ? least : most, change, change < 0 ? &least : &most))
      return std::nullopt;
  }
  return std::pair(least, most);
}

/// Not linear, in all counters of the operands.
static LinearValue other(Operands operands) {
  LinearValue result;
  result.kind = Kind::Other;
  for (const LinearValue *operand : operands)
    for (auto [loop, coefficient] : operand->terms)
      result.terms[loop] = coefficient;
  return result;
}

LoopTerms symbolsOf(const LoopTerms &terms, const LoopCounts &loops) {
  LoopTerms symbols;
  for (auto [loop, coefficient] : terms)
    if (loop < loops.symbols)
      symbols[loop] = coefficient;
  return symbols;
}

void addGuard(std::vector<Guard> &guards, Guard added) {
  for (Guard &guard : guards)
    if (guard.symbols == added.symbols) {
      guard.low = std::max(guard.low, added.low);
      guard.high = std::min(guard.high, added.high);
      return;
    }
  guards.push_back(std::move(added));
}

bool isWithin(const LinearValue &value, int64_t low, int64_t high, const LoopCounts &loops) {
  const std::optional<std::pair<int64_t, int64_t>> values = range(value, loops);
  if (!values || values->first < low || values->second > high)
    return false;
  if (!loops.guards)
    return true;
  if (LoopTerms symbols = symbolsOf(value.terms, loops); !symbols.empty()) {
    Guard guard{std::move(symbols), INT64_MIN, INT64_MAX};
    if (__builtin_sub_overflow(low, values->first, &guard.low))
      guard.low = INT64_MIN; // nothing is that low
    if (__builtin_sub_overflow(high, values->second, &guard.high))
      guard.high = INT64_MAX;
    addGuard(*loops.guards, std::move(guard));
  }
  return true;
}

/// Whether the type holds all its values, so that nothing wraps.
static bool fits(const LinearValue &value, ScalarType type, const LoopCounts &loops) {
  if (!ir::isInteger(type))
    return false;
  const unsigned unused = 64 - ir::bitWidth(type);
  if (ir::isSigned(type))
    return isWithin(value, INT64_MIN >> unused, INT64_MAX >> unused, loops);
  return isWithin(value, 0, static_cast<int64_t>((~uint64_t(0) >> unused) & INT64_MAX), loops);
}

/// scale * a + b, as mathematics; nullopt beyond 64 bits.
static std::optional<LinearValue> scaledSum(const LinearValue &a, int64_t scale,
                                            const LinearValue &b, ScalarType type) {
  int64_t base;
  if (__builtin_mul_overflow(ir::asInt64(a.scalar), scale, &base) ||
      __builtin_add_overflow(base, ir::asInt64(b.scalar), &base))
    return std::nullopt;
  std::optional<Scalar> scalar = ir::exactInt(type, base);
  if (!scalar)
    return std::nullopt;
  LinearValue sum{Kind::Linear, *scalar, b.terms};
  for (auto [loop, coefficient] : a.terms) {
    int64_t &term = sum.terms[loop];
    if (__builtin_mul_overflow(coefficient, scale, &coefficient) ||
        __builtin_add_overflow(term, coefficient, &term))
      return std::nullopt;
    if (term == 0)
      sum.terms.erase(loop);
  }
  return sum;
}

LinearValue linearIn(const LinearValue &base, int64_t coefficient, unsigned loop,
                     const LoopCounts &loops) {
  LinearValue value = base;
  if (coefficient != 0)
    value.terms[loop] = coefficient;
  return fits(value, base.scalar.type, loops) ? value : other({&value});
}

std::optional<LinearValue> linear(const Op &op, ScalarType type, Operands operands) {
  const LinearValue zero = LinearValue::of({type, 0});
  const LinearValue &a = *operands[0];
  if (!ir::isInteger(type) || !ir::isInteger(a.scalar.type))
    return std::nullopt;
  switch (op.opcode) {
  case Opcode::Neg:
    return scaledSum(a, -1, zero, type);
  case Opcode::Cast:
    return scaledSum(a, 1, zero, type);
  case Opcode::Add:
    return scaledSum(a, 1, *operands[1], type);
  case Opcode::Sub:
    return scaledSum(*operands[1], -1, a, type);
  case Opcode::Mul: {
    const bool isScaled = operands[1]->isKnown();
    if (!isScaled && !a.isKnown())
      return std::nullopt;
    return scaledSum(*operands[!isScaled], ir::asInt64(operands[isScaled]->scalar), zero, type);
  }
  default:
    return std::nullopt;
  }
}

namespace {

/// x % c, x / c, x & c, x | c, x ^ c, x >> c.
struct PeriodicOperation {
  const LinearValue *value;
  int64_t constant;
  int64_t size; // of %, / and >>: of the blocks of values that it is about; else 0
};

} // namespace

static std::optional<PeriodicOperation> periodic(Opcode opcode, Operands operands) {
  constexpr int64_t MaxConstant = int64_t(1) << 40;
  const bool isMask = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
  const bool isSwapped = isMask && operands[0]->isKnown();
  const LinearValue &x = *operands[isSwapped], &c = *operands[!isSwapped];
  if (!c.isKnown() || !ir::isInteger(c.scalar.type))
    return std::nullopt;
  const int64_t constant = ir::asInt64(c.scalar);
  if (constant < 0 || constant > MaxConstant)
    return std::nullopt;
  if (isMask)
    return PeriodicOperation{&x, constant, 0};
  if (opcode == Opcode::Shr && constant < 40)
    return PeriodicOperation{&x, constant, int64_t(1) << constant};
  if ((opcode == Opcode::Rem || opcode == Opcode::Div) && constant > 0)
    return PeriodicOperation{&x, constant, constant};
  return std::nullopt;
}

/// What is left of x if it is rounded down to a multiple of `size`; nullopt: that is not linear.
/// Then the outermost loop that changes it is asked for in blocks.
static std::optional<LinearValue> remainder(const LinearValue &x, int64_t size,
                                            const LoopCounts &loops, LoopRequests *requests) {
  LinearValue rest =
      LinearValue::of(ir::makeInt(ScalarType::S64, floorRemainder(ir::asInt64(x.scalar), size)));
  for (auto [loop, coefficient] : x.terms)
    if (coefficient % size != 0)
      rest.terms[loop] = coefficient;
  if (isWithin(rest, 0, size - 1, loops))
    return rest;
  for (auto [loop, coefficient] : rest.terms)
    if (requests && loop >= loops.symbols) {
      requests->blocks.push_back({loop, coefficient, ir::asInt64(rest.scalar), size});
      break;
    }
  return std::nullopt;
}

/// x & mask: of each run of ones 2^b - 2^a, what x is more than a multiple of 2^a, less what it is
/// more than one of 2^b. nullopt: that is not linear, and blocks are asked for, for all runs at
/// once.
static std::optional<LinearValue> masked(const LinearValue &x, uint64_t mask,
                                         const LoopCounts &loops, LoopRequests *requests) {
  std::optional<LinearValue> sum = LinearValue::of({ScalarType::S64, 0});
  while (mask != 0) {
    const uint64_t lowest = mask & -mask, behind = (mask + lowest) & ~mask;
    mask &= -behind;
    const std::optional<LinearValue> rest = remainder(x, static_cast<int64_t>(behind), loops,
                                                      requests),
                                     low = remainder(x, static_cast<int64_t>(lowest), loops,
                                                     requests);
    const std::optional<LinearValue> middle =
        rest && low ? scaledSum(*low, -1, *rest, ScalarType::S64) : std::nullopt;
    sum = sum && middle ? scaledSum(*middle, 1, *sum, ScalarType::S64) : std::nullopt;
  }
  return sum;
}

/// x | m = x - (x & m) + m, and x ^ m = x - 2 (x & m) + m
static std::optional<LinearValue> byMask(Opcode opcode, const LinearValue &x, int64_t mask,
                                         const LinearValue &masked, ScalarType type) {
  if (opcode == Opcode::And)
    return scaledSum(masked, 1, LinearValue::of({type, 0}), type);
  const LinearValue ones = LinearValue::of(ir::makeInt(ScalarType::S64, mask));
  const std::optional<LinearValue> without =
      scaledSum(masked, opcode == Opcode::Or ? -1 : -2, x, ScalarType::S64);
  return without ? scaledSum(*without, 1, ones, type) : std::nullopt;
}

/// Of a value from 0 on, so that division rounds down.
static std::optional<LinearValue> periodicValue(const Op &op, ScalarType type, Operands operands,
                                                const LoopCounts &loops, LoopRequests *requests) {
  const LinearValue zero = LinearValue::of({ScalarType::S64, 0});
  const std::optional<PeriodicOperation> operation = periodic(op.opcode, operands);
  if (!operation || !isWithin(*operation->value, 0, INT64_MAX, loops))
    return std::nullopt;
  LinearValue x = *operation->value;
  x.scalar = ir::makeInt(ScalarType::S64, ir::asInt64(x.scalar));
  if (operation->size == 0) {
    const std::optional<LinearValue> ones =
        masked(x, static_cast<uint64_t>(operation->constant), loops, requests);
    return ones ? byMask(op.opcode, x, operation->constant, *ones, type) : std::nullopt;
  }
  const std::optional<LinearValue> rest = remainder(x, operation->size, loops, requests);
  if (!rest)
    return std::nullopt;
  if (op.opcode == Opcode::Rem)
    return scaledSum(*rest, 1, zero, type);
  const std::optional<LinearValue> high = scaledSum(*rest, -1, x, ScalarType::S64);
  LinearValue quotient =
      LinearValue::of(ir::makeInt(ScalarType::S64, ir::asInt64(high->scalar) / operation->size));
  for (auto [loop, coefficient] : high->terms)
    quotient.terms[loop] = coefficient / operation->size;
  return scaledSum(quotient, 1, zero, type);
}

bool isSigned64(const LinearValue &value, const LoopCounts &loops) {
  return isWithin(value, value.scalar.type == ScalarType::U64 ? 0 : INT64_MIN, INT64_MAX, loops);
}

/// Where the comparison with 0 of a difference that one loop alone changes, always the same way,
/// gets another outcome: one iteration, or two of == and !=.
static void askForSplits(Opcode opcode, const LinearValue &difference, const LoopCounts &loops,
                         LoopRequests &requests) {
  if (std::next(difference.terms.begin()) != difference.terms.end())
    return;
  const auto [loop, coefficient] = *difference.terms.begin();
  const int64_t base = ir::asInt64(difference.scalar);
  if (loop < loops.symbols || coefficient == INT64_MIN || base == INT64_MIN)
    return;
  // Rising or falling, 0 is reached at the first iteration not before -base / coefficient.
  const int64_t toZero = coefficient > 0 ? -base : base, each = std::abs(coefficient);
  const int64_t reaches = toZero / each + (toZero % each > 0);
  const int64_t passes = toZero % each == 0 ? reaches + 1 : reaches;
  const bool isOfZero = opcode == Opcode::Lt || opcode == Opcode::Ge; // 0 is like what is above it
  const bool isOnlyZero = opcode == Opcode::Eq || opcode == Opcode::Ne;
  const bool isAtZero = isOfZero == (coefficient > 0);
  const auto ask = [&](int64_t border) {
    if (border > 0 && border < loops[loop])
      requests.splits.push_back({loop, border});
  };
  if (isAtZero || isOnlyZero)
    ask(reaches);
  if (!isAtZero || isOnlyZero)
    ask(passes);
}

/// The outcome of comparing values from the least to the most with 0, if it is one.
static std::optional<Scalar> outcomeOf(Opcode opcode, int64_t least, int64_t most) {
  const auto of = [&](int64_t value) {
    return ir::evaluateBinary(opcode, ir::makeInt(ScalarType::S64, value),
                              ir::makeInt(ScalarType::S64, 0))
        .value;
  };
  const bool isOnlyZero = opcode == Opcode::Eq || opcode == Opcode::Ne;
  if (isOnlyZero ? least != most && least <= 0 && most >= 0 : !(of(least) == of(most)))
    return std::nullopt;
  return of(least);
}

/// Guards say that the difference, which has one outcome with the symbols as they are, has it with
/// those that will come.
static bool hasOutcome(const LinearValue &difference, std::pair<int64_t, int64_t> values,
                       const LoopCounts &loops) {
  if (values.first > 0)
    return isWithin(difference, 1, INT64_MAX, loops);
  if (values.second < 0)
    return isWithin(difference, INT64_MIN, -1, loops);
  return values.first == values.second && isWithin(difference, 0, 0, loops);
}

/// a < b, where their difference has one sign; else what it depends on.
static std::optional<LinearValue> compared(const Op &op, Operands operands, const LoopCounts &loops,
                                           LoopRequests *requests) {
  const ScalarType type = operands[0]->scalar.type;
  if (!ir::isInteger(type) || !isSigned64(*operands[0], loops) || !isSigned64(*operands[1], loops))
    return std::nullopt;
  LinearValue a = *operands[0], b = *operands[1];
  a.scalar = ir::makeInt(ScalarType::S64, ir::asInt64(a.scalar));
  b.scalar = ir::makeInt(ScalarType::S64, ir::asInt64(b.scalar));
  std::optional<LinearValue> difference = scaledSum(b, -1, a, ScalarType::S64);
  if (!difference)
    return std::nullopt;
  const std::optional<std::pair<int64_t, int64_t>> values = range(*difference, loops);
  const std::optional<Scalar> outcome =
      values ? outcomeOf(op.opcode, values->first, values->second) : std::nullopt;
  if (outcome &&
      (symbolsOf(difference->terms, loops).empty() || hasOutcome(*difference, *values, loops)))
    return LinearValue::of(*outcome);
  if (requests && values && !difference->terms.empty())
    askForSplits(op.opcode, *difference, loops, *requests);
  difference->kind = Kind::Other;
  return difference;
}

static std::optional<LinearValue> constant(const Op &op, ScalarType type, Operands operands) {
  llvm::SmallVector<Scalar, 4> scalars;
  for (const LinearValue *operand : operands)
    scalars.push_back(operand->scalar);
  ir::Evaluation result;
  if (op.opcode == Opcode::Constant)
    result.value = op.scalar;
  else if (ir::isBinary(op.opcode))
    result = ir::evaluateBinary(op.opcode, scalars[0], scalars[1]);
  else if (op.opcode == Opcode::Cast)
    result = ir::evaluateCast(scalars[0], type);
  else if (op.opcode == Opcode::Bitcast)
    result.value = ir::evaluateBitcast(scalars[0], type);
  else if (op.opcode == Opcode::Math)
    result = ir::evaluateMath(op.math, scalars);
  else
    result = ir::evaluateUnary(op.opcode, scalars[0]);
  if (result.undefined != ir::Undefined::None && !op.speculative)
    return std::nullopt;
  return LinearValue::of(result.value);
}

std::optional<LinearValue> evaluate(const Op &op, ScalarType type, Operands operands,
                                    const LoopCounts &loops, LoopRequests *requests) {
  auto isUndefined = [](const LinearValue *value) { return value->kind == Kind::Undefined; };
  if (op.opcode == Opcode::Undef)
    return LinearValue();
  if (op.opcode == Opcode::Select && operands[0]->isKnown())
    return *operands[operands[0]->scalar.bits ? 1 : 2];
  if (llvm::any_of(operands, isUndefined))
    return std::nullopt;
  if (op.opcode == Opcode::Select)
    return other(operands);
  if (llvm::all_of(operands, [](const LinearValue *value) { return value->isKnown(); }))
    return constant(op, type, operands);
  if (llvm::any_of(operands, [](const LinearValue *v) { return v->kind == Kind::Other; }))
    return other(operands);
  std::optional<LinearValue> value = ir::isComparison(op.opcode)
                                         ? compared(op, operands, loops, requests)
                                         : linear(op, type, operands);
  if (!value && ir::isInteger(type) && operands.size() == 2 && !ir::isComparison(op.opcode))
    value = periodicValue(op, type, operands, loops, requests);
  if (!value && op.opcode == Opcode::And)
    value = lowestBit(type, *operands[0], *operands[1], loops, requests);
  if (!value ||
      (value->kind == Kind::Linear && !value->terms.empty() && !fits(*value, type, loops)))
    return other(operands);
  return value;
}

} // namespace colonnade::model

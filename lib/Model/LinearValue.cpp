//===- LinearValue.cpp - Values linear in iterations ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/LinearValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <bit>
#include <numeric>

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

/// Whether the type holds all its values, so that nothing wraps.
static bool fits(const LinearValue &value, ScalarType type, const LoopCounts &loops) {
  std::optional<std::pair<int64_t, int64_t>> values = range(value, loops);
  return values && ir::isInteger(type) && ir::exactInt(type, values->first) &&
         ir::exactInt(type, values->second);
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

/// Of values that have terms.
static std::optional<LinearValue> linear(const Op &op, ScalarType type, Operands operands) {
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

/// x % c, x / c, x & c, x | c, x ^ c, x >> c: what the low bits or the remainder of x decide.
struct PeriodicOperation {
  const LinearValue *value;
  int64_t constant;
  int64_t period; // of x, in which all that is not linear repeats
};

} // namespace

static std::optional<PeriodicOperation> periodic(Opcode opcode, Operands operands) {
  constexpr int64_t MaxConstant = int64_t(1) << 40;
  const bool commutes = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
  const bool isSwapped = commutes && operands[0]->isKnown();
  const LinearValue &x = *operands[isSwapped], &c = *operands[!isSwapped];
  if (!c.isKnown() || !ir::isInteger(c.scalar.type))
    return std::nullopt;
  const int64_t constant = ir::asInt64(c.scalar);
  if (constant < 0 || constant > MaxConstant)
    return std::nullopt;
  if (commutes)
    return PeriodicOperation{
        &x, constant, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(constant) + 1))};
  if (opcode == Opcode::Shr && constant < 40)
    return PeriodicOperation{&x, constant, int64_t(1) << constant};
  if ((opcode == Opcode::Rem || opcode == Opcode::Div) && constant > 0)
    return PeriodicOperation{&x, constant, constant};
  return std::nullopt;
}

/// Whether x grows by multiples of the period in all loops; if not, says in which strides it would.
static bool growsByPeriods(const PeriodicOperation &operation, std::vector<int64_t> *strides) {
  bool isMultiple = true;
  for (auto [loop, coefficient] : operation.value->terms) {
    const int64_t stride = operation.period / std::gcd(operation.period, coefficient);
    isMultiple &= stride == 1;
    if (strides && stride > 1 && stride <= MaxStride)
      (*strides)[loop] = std::min(std::lcm((*strides)[loop], stride), MaxStride + 1);
  }
  return isMultiple;
}

/// Of a value from 0 on, so that division rounds down.
static std::optional<LinearValue> periodicValue(const Op &op, ScalarType type, Operands operands,
                                                const LoopCounts &loops,
                                                std::vector<int64_t> *strides) {
  const std::optional<PeriodicOperation> operation = periodic(op.opcode, operands);
  if (!operation)
    return std::nullopt;
  const std::optional<std::pair<int64_t, int64_t>> values = range(*operation->value, loops);
  if (!values || values->first < 0 || !growsByPeriods(*operation, strides))
    return std::nullopt;
  LinearValue result = *operation->value;
  const int64_t base = ir::asInt64(result.scalar), c = operation->constant;
  const bool isQuotient = op.opcode == Opcode::Div || op.opcode == Opcode::Shr;
  const int64_t changed = op.opcode == Opcode::And   ? base & c
                          : op.opcode == Opcode::Or  ? base | c
                          : op.opcode == Opcode::Xor ? base ^ c
                          : isQuotient               ? base / operation->period
                                                     : base % operation->period;
  LoopTerms terms;
  for (auto [loop, coefficient] : result.terms)
    if (isQuotient)
      terms[loop] = coefficient / operation->period;
    else if (op.opcode == Opcode::Or || op.opcode == Opcode::Xor)
      terms[loop] = coefficient;
  std::optional<Scalar> scalar = ir::exactInt(type, changed);
  if (!scalar)
    return std::nullopt;
  return LinearValue{Kind::Linear, *scalar, terms};
}

bool isSigned64(const LinearValue &value, const LoopCounts &loops) {
  std::optional<std::pair<int64_t, int64_t>> values = range(value, loops);
  return values && (value.scalar.type != ScalarType::U64 || values->first >= 0);
}

/// a < b, where their difference has one sign.
static std::optional<LinearValue> compared(const Op &op, Operands operands,
                                           const LoopCounts &loops) {
  const ScalarType type = operands[0]->scalar.type;
  if (!ir::isInteger(type) || !isSigned64(*operands[0], loops) || !isSigned64(*operands[1], loops))
    return std::nullopt;
  LinearValue a = *operands[0], b = *operands[1];
  a.scalar = ir::makeInt(ScalarType::S64, ir::asInt64(a.scalar));
  b.scalar = ir::makeInt(ScalarType::S64, ir::asInt64(b.scalar));
  std::optional<LinearValue> difference = scaledSum(b, -1, a, ScalarType::S64);
  if (!difference)
    return std::nullopt;
  std::optional<std::pair<int64_t, int64_t>> values = range(*difference, loops);
  if (!values || (values->first < 0 && values->second >= 0) ||
      (values->first <= 0 && values->second > 0))
    return std::nullopt;
  return LinearValue::of(ir::evaluateBinary(op.opcode, ir::makeInt(ScalarType::S64, values->first),
                                            ir::makeInt(ScalarType::S64, 0))
                             .value);
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
                                    const LoopCounts &loops, std::vector<int64_t> *strides) {
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
  std::optional<LinearValue> value =
      ir::isComparison(op.opcode) ? compared(op, operands, loops) : linear(op, type, operands);
  if (!value && ir::isInteger(type) && operands.size() == 2 && !ir::isComparison(op.opcode))
    value = periodicValue(op, type, operands, loops, strides);
  if (!value || (!value->terms.empty() && !fits(*value, type, loops)))
    return other(operands);
  return value;
}

} // namespace colonnade::model

//===- ValueRanges.cpp - Between what values lie --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ValueRanges.h"

#include <algorithm>
#include <bit>

namespace colonnade::model {

using ir::Opcode;
using Ranges = llvm::ArrayRef<ValueRange>;

std::optional<ValueRange> anyOf(ir::ScalarType type) {
  if (type == ir::ScalarType::Bool)
    return ValueRange{0, 1};
  if (!ir::isInteger(type) || type == ir::ScalarType::U64)
    return std::nullopt;
  const unsigned unused = 64 - ir::bitWidth(type);
  if (ir::isSigned(type))
    return ValueRange{INT64_MIN >> unused, INT64_MAX >> unused};
  return ValueRange{0, static_cast<int64_t>(~uint64_t(0) >> unused)};
}

ValueRange hullOf(ValueRange a, ValueRange b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Sums, differences and products have their extremes at the ends; nullopt: beyond 64 bits.
static std::optional<ValueRange> ofEnds(Opcode opcode, ValueRange a, ValueRange b) {
  std::optional<ValueRange> range;
  for (int64_t x : {a.low, a.high})
    for (int64_t y : {b.low, b.high}) {
      int64_t result;
      const bool overflows = opcode == Opcode::Add   ? __builtin_add_overflow(x, y, &result)
                             : opcode == Opcode::Sub ? __builtin_sub_overflow(x, y, &result)
                                                     : __builtin_mul_overflow(x, y, &result);
      if (overflows)
        return std::nullopt;
      range = range ? hullOf(*range, {result, result}) : ValueRange{result, result};
    }
  return range;
}

/// By a known divisor, of dividends from 0 on.
static std::optional<ValueRange> divided(Opcode opcode, ValueRange a, ValueRange b) {
  if (b.low != b.high || b.low <= 0 || a.low < 0)
    return std::nullopt;
  if (opcode == Opcode::Div)
    return ValueRange{a.low / b.low, a.high / b.low};
  return a.high < b.low ? a : ValueRange{0, b.low - 1};
}

/// Of operands from 0 on.
static std::optional<ValueRange> ofBits(Opcode opcode, ValueRange a, ValueRange b) {
  if (a.low < 0 || b.low < 0)
    return std::nullopt;
  if (opcode == Opcode::And)
    return ValueRange{0, std::min(a.high, b.high)};
  const auto ones = std::bit_ceil(static_cast<uint64_t>(std::max(a.high, b.high)) + 1) - 1;
  return ValueRange{0, static_cast<int64_t>(ones & INT64_MAX)};
}

/// What is decided by all values alike.
static ValueRange compared(Opcode opcode, ValueRange a, ValueRange b) {
  constexpr ValueRange No = {0, 0}, Yes = {1, 1}, Open = {0, 1};
  auto isBefore = [&](ValueRange x, ValueRange y) {
    return x.high < y.low ? Yes : x.low >= y.high ? No : Open;
  };
  auto opposite = [](ValueRange of) { return ValueRange{1 - of.high, 1 - of.low}; };
  const bool isApart = a.high < b.low || b.high < a.low;
  const bool isOne = a == b && a.low == a.high;
  switch (opcode) {
  case Opcode::Lt:
    return isBefore(a, b);
  case Opcode::Gt:
    return isBefore(b, a);
  case Opcode::Le:
    return opposite(isBefore(b, a));
  case Opcode::Ge:
    return opposite(isBefore(a, b));
  case Opcode::Eq:
    return isApart ? No : isOne ? Yes : Open;
  default:
    return isApart ? Yes : isOne ? No : Open;
  }
}

static std::optional<ValueRange> integers(const ir::Op &op, Ranges operands) {
  switch (op.opcode) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
    return ofEnds(op.opcode, operands[0], operands[1]);
  case Opcode::Neg:
    return ofEnds(Opcode::Sub, {0, 0}, operands[0]);
  case Opcode::Div:
  case Opcode::Rem:
    return divided(op.opcode, operands[0], operands[1]);
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
    return ofBits(op.opcode, operands[0], operands[1]);
  case Opcode::Cast:
    return operands[0];
  case Opcode::Select:
    return hullOf(operands[1], operands[2]);
  default:
    return std::nullopt;
  }
}

/// Whether the type holds it: else it has wrapped.
static bool isWithin(ValueRange range, ir::ScalarType type) {
  return ir::exactInt(type, range.low) && ir::exactInt(type, range.high);
}

std::optional<ValueRange> rangeOf(const ir::Op &op, ir::ScalarType type,
                                  llvm::ArrayRef<std::optional<ValueRange>> operands) {
  llvm::SmallVector<ValueRange, 3> known;
  for (const std::optional<ValueRange> &operand : operands)
    if (operand)
      known.push_back(*operand);
  if (known.size() < operands.size())
    return anyOf(type);
  if (ir::isComparison(op.opcode))
    return compared(op.opcode, known[0], known[1]);
  const std::optional<ValueRange> range = integers(op, known);
  return range && isWithin(*range, type) ? range : anyOf(type);
}

} // namespace colonnade::model

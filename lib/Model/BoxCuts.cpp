//===- BoxCuts.cpp - Where boxes are cut ----------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: values of a box (Boxes.h). Out: comparisons, remainders and masks of them, in a box that is
// cut where these would change, or would not be linear.
//
// Invariant: a box keeps its first iteration and what it has behind that without a gap, so values
// that were computed before stay what they are.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"

#include "Model/Stages.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;

static std::optional<BoxValue> boxSumOf(const BoxValue &a, int64_t scale, const BoxValue &b,
                                        int64_t otherScale) {
  BoxValue sum;
  return boxSum(a, scale, b, otherScale, sum) ? std::optional(sum) : std::nullopt;
}

bool ProfileSummary::BoxWalk::makeKnown(const BoxValue &value) {
  if (value.isData)
    return false;
  if (hasSymbols(value)) {
    blamed_ = static_cast<unsigned>(llvm::countr_zero(value.changing));
    return false;
  }
  forEachDimension(value.changing & ranged_, [&](unsigned d) { setCount(d, 1); });
  return true;
}

std::optional<unsigned> ProfileSummary::BoxWalk::onlyChanging(const BoxValue &value) {
  std::optional<unsigned> only;
  for (unsigned d : open_) {
    if ((value.changing & ranged_ & uint32_t(1) << d) == 0)
      continue;
    if (only)
      setCount(*only, 1);
    only = d;
  }
  return only;
}

static bool holdsOfZero(Opcode opcode, int64_t difference) {
  switch (opcode) {
  case Opcode::Eq:
    return difference == 0;
  case Opcode::Ne:
    return difference != 0;
  case Opcode::Lt:
    return difference < 0;
  case Opcode::Le:
    return difference <= 0;
  case Opcode::Gt:
    return difference > 0;
  default:
    return difference >= 0;
  }
}

/// The first iteration in which what begins at `base` is compared with 0 otherwise than in the one
/// before, as far as that is known; another comparison of the same values cuts as well.
static int64_t firstOther(Opcode opcode, int64_t base, int64_t step) {
  if (step < 0 && base != INT64_MIN && step != INT64_MIN) {
    base = -base;
    step = -step;
    opcode = ir::mirrored(opcode);
  }
  const bool isOfEquality = opcode == Opcode::Eq || opcode == Opcode::Ne;
  if (base > 0 || (isOfEquality && base == 0))
    return 1;
  const int64_t reaches = -base / step + (-base % step != 0), // the first that is not below 0
      passes = -base / step + 1;                              // … and above 0
  return opcode == Opcode::Le || opcode == Opcode::Gt ? passes : std::max(reaches, int64_t(1));
}

void ProfileSummary::BoxWalk::cutWhereBelowZero(const BoxValue &value) {
  const std::optional<unsigned> only = onlyChanging(value);
  if (!only)
    return;
  const int64_t step = value.steps[*only];
  const int64_t until = value.base < 0 ? firstOther(Opcode::Lt, value.base, step)
                                       : firstOther(Opcode::Ge, value.base, step);
  setCount(*only, std::min(frames_[*only].count, until));
}

/// Of a type without a sign: x - y, where it is below 0. What wraps at 2^64 stays as it is, less
/// than that: it is below 0 in all of the box.
bool ProfileSummary::BoxWalk::wrapped(BoxValue &value, ScalarType type) {
  if (ir::isSigned(type) || type == ScalarType::Bool)
    return false;
  if (type != ScalarType::U64) {
    const std::optional<BoxValue> rest = remainder(value, int64_t(1) << ir::bitWidth(type));
    value = rest.value_or(value);
    return rest.has_value();
  }
  ValueRange of;
  if (!isBetween(value, of) || hasSymbols(value) || value.base == INT64_MIN)
    return false;
  if (of.low < 0 && of.high >= 0)
    cutWhereBelowZero(value);
  return true;
}

/// x less a multiple of `size`, from 0 on: in the box, that is cut where the multiple changes.
std::optional<BoxValue> ProfileSummary::BoxWalk::remainder(const BoxValue &x, int64_t size) {
  BoxValue rest;
  rest.base = floorRemainder(x.base, size);
  forEachDimension(x.changing & symbols(), [&](unsigned d) {
    if (x.steps[d] % size != 0)
      blamed_ = d;
  });
  if (blamed_)
    return std::nullopt;
  forEachDimension(x.changing & ranged_, [&](unsigned d) {
    const int64_t step = x.steps[d] % size;
    rest.setStep(d, step > size / 2 ? step - size : step < -(size / 2) ? step + size : step);
  });
  if (ValueRange of; isBetween(rest, of) && of.low >= 0 && of.high < size)
    return rest;
  if (const std::optional<unsigned> only = onlyChanging(rest)) {
    const int64_t step = rest.steps[*only];
    const int64_t until = (step > 0 ? (size - 1 - rest.base) / step : rest.base / -step) + 1;
    setCount(*only, std::min(frames_[*only].count, until));
  }
  forEachDimension(rest.changing & ~ranged_, [&](unsigned d) { rest.setStep(d, 0); });
  return rest;
}

/// As of LinearValue.cpp.
std::optional<BoxValue> ProfileSummary::BoxWalk::masked(const BoxValue &x, uint64_t mask) {
  std::optional<BoxValue> sum = BoxValue();
  while (mask != 0 && sum) {
    const uint64_t lowest = mask & -mask, behind = (mask + lowest) & ~mask;
    mask &= -behind;
    const std::optional<BoxValue> rest = remainder(x, static_cast<int64_t>(behind)),
                                  low = remainder(x, static_cast<int64_t>(lowest));
    const std::optional<BoxValue> middle =
        rest && low ? boxSumOf(*rest, 1, *low, -1) : std::nullopt;
    sum = middle ? boxSumOf(*sum, 1, *middle, 1) : std::nullopt;
  }
  return sum;
}

/// x / c and x % c: in the box, that is cut where x passes 0.
std::optional<BoxValue> ProfileSummary::BoxWalk::roundedToZero(Opcode opcode, const BoxValue &x,
                                                               int64_t constant) {
  static const BoxValue Zero;
  ValueRange of;
  if (!isBetween(x, of) || x.base == INT64_MIN)
    return std::nullopt;
  if (hasSymbols(x) && !isWithin(x, 0, INT64_MAX))
    return makeKnown(x), std::nullopt; // a symbol has to be
  if (of.low < 0 && of.high >= 0)
    cutWhereBelowZero(x);
  if (x.base >= 0)
    return periodic(opcode, x, constant);
  const std::optional<BoxValue> negative = boxSumOf(x, -1, Zero, 0);
  const std::optional<BoxValue> made =
      negative ? periodic(opcode, *negative, constant) : std::nullopt;
  return made ? boxSumOf(*made, -1, Zero, 0) : std::nullopt;
}

/// Rounded down.
std::optional<BoxValue> ProfileSummary::BoxWalk::periodic(Opcode opcode, const BoxValue &x,
                                                          int64_t constant) {
  if (opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor) {
    const std::optional<BoxValue> ones = masked(x, static_cast<uint64_t>(constant));
    if (!ones || opcode == Opcode::And)
      return ones;
    std::optional<BoxValue> without = boxSumOf(x, 1, *ones, opcode == Opcode::Or ? -1 : -2);
    if (!without || __builtin_add_overflow(without->base, constant, &without->base))
      return std::nullopt;
    return without;
  }
  const int64_t size = opcode == Opcode::Shr ? int64_t(1) << constant : constant;
  const std::optional<BoxValue> rest = remainder(x, size);
  if (!rest || opcode == Opcode::Rem)
    return rest;
  const std::optional<BoxValue> high = boxSumOf(x, 1, *rest, -1);
  if (!high)
    return std::nullopt;
  BoxValue quotient;
  quotient.base = high->base / size;
  forEachDimension(high->changing & (ranged_ | symbols()),
                   [&](unsigned d) { quotient.setStep(d, high->steps[d] / size); });
  return quotient;
}

/// a < b: in the box, that is cut where the outcome changes.
bool ProfileSummary::BoxWalk::compare(const Op &op, Opcode opcode, const BoxValue &b) {
  const BoxValue &a = value(op.operands[0]);
  BoxValue &result = value(op.results[0]);
  if (summary_.typeOf(op.operands[0]) == ScalarType::U64) {
    const auto isBeyond = [&](const BoxValue &of) { return isWithin(of, INT64_MIN, -1); };
    const bool isABeyond = isBeyond(a), isBBeyond = isBeyond(b);
    if ((!isABeyond && !isWithin(a, 0, INT64_MAX)) || (!isBBeyond && !isWithin(b, 0, INT64_MAX)))
      return false;
    if (isABeyond != isBBeyond) {
      result = {};
      result.base = holdsOfZero(opcode, isABeyond ? 1 : -1);
      return true;
    }
  }
  BoxValue difference;
  ValueRange values;
  if (!boxSum(a, 1, b, -1, difference) || !isBetween(difference, values) ||
      difference.base == INT64_MIN)
    return false;
  const auto isOne = [&] {
    const bool isOfEquality = opcode == Opcode::Eq || opcode == Opcode::Ne;
    return isOfEquality ? values.low == values.high || values.low > 0 || values.high < 0
                        : holdsOfZero(opcode, values.low) == holdsOfZero(opcode, values.high);
  };
  if (hasSymbols(difference)) {
    const bool isGuarded = values.low > 0    ? isWithin(difference, 1, INT64_MAX)
                           : values.high < 0 ? isWithin(difference, INT64_MIN, -1)
                                             : false;
    if (!isGuarded)
      return makeKnown(difference); // the symbol has to be
  } else if (!isOne()) {
    if (const std::optional<unsigned> only = onlyChanging(difference)) {
      const int64_t until = firstOther(opcode, difference.base, difference.steps[*only]);
      setCount(*only, std::min(frames_[*only].count, until));
    }
  }
  result = {};
  result.base = holdsOfZero(opcode, difference.base);
  return true;
}

} // namespace colonnade::model

//===- BoxValues.cpp - Operations in a box --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an operation, whose operands are linear in a box (Boxes.h). Out: its result, linear in the
// box as well, which is cut where that takes it. A box keeps its first iteration, so values that
// were computed before stay what they are.
//
// Invariant: a result is in every iteration of the box what the interpreter computes there.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"

#include "Model/Stages.h"

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::ScalarType;

bool ProfileSummary::BoxWalk::hasSymbols(const BoxValue &value) const {
  for (unsigned d = 0; d < plan_.symbols; ++d)
    if (value.steps[d] != 0)
      return true;
  return false;
}

LinearValue ProfileSummary::BoxWalk::withSymbols(const BoxValue &value, int64_t base) const {
  LinearValue result = LinearValue::of(ir::makeInt(ScalarType::S64, base));
  for (unsigned d = 0; d < plan_.symbols; ++d)
    if (value.steps[d] != 0)
      result.terms[d] = value.steps[d];
  return result;
}

bool ProfileSummary::BoxWalk::isKnown(const BoxValue &value) const {
  return !value.isData && !hasSymbols(value) && llvm::all_of(open_, [&](unsigned d) {
    return value.steps[d] == 0 || frames_[d].count == 1;
  });
}

bool ProfileSummary::BoxWalk::makeKnown(const BoxValue &value) {
  if (value.isData)
    return false;
  for (unsigned d = 0; d < plan_.symbols; ++d)
    if (value.steps[d] != 0) {
      blamed_ = d;
      return false;
    }
  for (unsigned d : open_)
    if (value.steps[d] != 0)
      makeSingle(d);
  return true;
}

std::optional<unsigned> ProfileSummary::BoxWalk::onlyChanging(const BoxSteps &steps) {
  std::optional<unsigned> only;
  for (unsigned d : open_) {
    if (steps[d] == 0 || frames_[d].count == 1)
      continue;
    if (only)
      makeSingle(*only);
    only = d;
  }
  return only;
}

/// Of the symbols as they are. nullopt: beyond 64 bits.
std::optional<ValueRange> ProfileSummary::BoxWalk::range(const BoxValue &value) const {
  ValueRange range{value.base, value.base};
  for (unsigned d : open_) {
    if (value.steps[d] == 0)
      continue;
    int64_t change;
    int64_t &end = value.steps[d] < 0 ? range.low : range.high;
    if (__builtin_mul_overflow(value.steps[d], frames_[d].count - 1, &change) ||
        __builtin_add_overflow(end, change, &end))
      return std::nullopt;
  }
  return range;
}

bool ProfileSummary::BoxWalk::isWithin(const BoxValue &value, int64_t low, int64_t high) const {
  const std::optional<ValueRange> of = range(value);
  if (!of || of->low < low || of->high > high)
    return false;
  return !hasSymbols(value) ||
         (model::isWithin(withSymbols(value, of->low), low, high, summary_.loops_) &&
          model::isWithin(withSymbols(value, of->high), low, high, summary_.loops_));
}

bool ProfileSummary::BoxWalk::fits(const BoxValue &value, ScalarType type) const {
  if (type == ScalarType::Bool)
    return isWithin(value, 0, 1);
  const unsigned unused = 64 - ir::bitWidth(type);
  if (ir::isSigned(type))
    return isWithin(value, INT64_MIN >> unused, INT64_MAX >> unused);
  return isWithin(value, 0, static_cast<int64_t>((~uint64_t(0) >> unused) & INT64_MAX));
}

/// a * scale + b * otherScale; nullopt: beyond 64 bits.
static std::optional<BoxValue> scaled(const BoxValue &a, int64_t scale, const BoxValue &b,
                                      int64_t otherScale, unsigned dimensions) {
  BoxValue sum;
  const auto add = [&](int64_t x, int64_t y, int64_t &to) {
    int64_t p, q;
    return !__builtin_mul_overflow(x, scale, &p) && !__builtin_mul_overflow(y, otherScale, &q) &&
           !__builtin_add_overflow(p, q, &to);
  };
  bool fits = add(a.base, b.base, sum.base);
  for (unsigned d = 0; d < dimensions; ++d)
    fits &= add(a.steps[d], b.steps[d], sum.steps[d]);
  return fits ? std::optional(sum) : std::nullopt;
}

/// Without looking whether a type holds it.
std::optional<BoxValue> ProfileSummary::BoxWalk::linear(Opcode opcode, const BoxValue &a,
                                                        const BoxValue *b) const {
  const unsigned dimensions = plan_.dimensions();
  static const BoxValue Zero;
  if (a.isData || (b && b->isData))
    return std::nullopt;
  switch (opcode) {
  case Opcode::Neg:
    return scaled(a, -1, Zero, 0, dimensions);
  case Opcode::Cast:
    return a;
  case Opcode::Add:
    return scaled(a, 1, *b, 1, dimensions);
  case Opcode::Sub:
    return scaled(a, 1, *b, -1, dimensions);
  case Opcode::Mul:
    if (isKnown(*b))
      return scaled(a, b->base, Zero, 0, dimensions);
    return isKnown(a) ? scaled(*b, a.base, Zero, 0, dimensions) : std::nullopt;
  case Opcode::Shl:
    return isKnown(*b) && b->base >= 0 && b->base < 40
               ? scaled(a, int64_t(1) << b->base, Zero, 0, dimensions)
               : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Of single iterations.
bool ProfileSummary::BoxWalk::exact(const Op &op, Opcode opcode) {
  llvm::SmallVector<ir::Scalar, 2> scalars;
  for (ValueId operand : op.operands) {
    if (!makeKnown(value(operand)))
      return false;
    scalars.push_back(ir::makeInt(summary_.typeOf(operand), value(operand).base));
  }
  const ir::ScalarType type = summary_.typeOf(op.results[0]);
  ir::Evaluation result;
  if (ir::isBinary(opcode) && scalars.size() == 2)
    result = ir::evaluateBinary(opcode, scalars[0], scalars[1]);
  else if (opcode == Opcode::Cast)
    result = ir::evaluateCast(scalars[0], type);
  else if (opcode == Opcode::Neg || opcode == Opcode::Not)
    result = ir::evaluateUnary(opcode, scalars[0]);
  else
    return false;
  if (result.undefined != ir::Undefined::None && !op.speculative)
    return false;
  value(op.results[0]) = {};
  value(op.results[0]).base = ir::asInt64(result.value);
  return true;
}

bool ProfileSummary::BoxWalk::evaluate(const Op &op) {
  switch (op.opcode) {
  case Opcode::Blend:
    return evaluateAs(Opcode::Select, op);
  case Opcode::MulLowHalves:
    return evaluateAs(Opcode::Mul, op);
  case Opcode::DivConstant:
    return evaluateAs(Opcode::Div, op);
  case Opcode::RemConstant:
    return evaluateAs(Opcode::Rem, op);
  default:
    return evaluateAs(op.opcode, op);
  }
}

/// Signed division rounds to 0, so what is below that is no matter of remainders here.
static bool isPeriodic(Opcode opcode, int64_t constant) {
  constexpr int64_t MaxConstant = int64_t(1) << 40;
  switch (opcode) {
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
    return constant >= 0 && constant <= MaxConstant;
  case Opcode::Shr:
    return constant >= 0 && constant < 40;
  case Opcode::Div:
  case Opcode::Rem:
    return constant > 0 && constant <= MaxConstant;
  default:
    return false;
  }
}

bool ProfileSummary::BoxWalk::evaluateAs(Opcode opcode, const Op &op) {
  if (opcode == Opcode::Constant)
    return true; // known before
  const ScalarType type = summary_.typeOf(op.results[0]);
  BoxValue &result = value(op.results[0]);
  const auto isOfData = [&](ValueId id) { return value(id).isData; };
  if (opcode == Opcode::Select && !value(op.operands[0]).isData) {
    if (!makeKnown(value(op.operands[0])))
      return false;
    result = value(op.operands[value(op.operands[0]).base ? 1 : 2]);
    return true;
  }
  if (llvm::any_of(op.operands, isOfData)) {
    result = {};
    result.isData = true;
    return summary_.isKernel_;
  }
  const auto isWhole = [&](ValueId id) { return ir::isInteger(summary_.typeOf(id)); };
  if (ir::isComparison(opcode) && llvm::all_of(op.operands, isWhole))
    return compare(op, opcode, value(op.operands[1]));
  if (opcode == Opcode::Cast && type == ScalarType::Bool && isWhole(op.operands[0]))
    return compare(op, Opcode::Ne, BoxValue());
  if (ir::isInteger(type) && (llvm::all_of(op.operands, isWhole) || opcode == Opcode::Cast)) {
    const BoxValue &a = value(op.operands[0]), &b = value(op.operands.back());
    std::optional<BoxValue> made = linear(opcode, a, &b);
    if (made && fits(*made, type)) {
      result = *made;
      return true;
    }
    const bool isMask = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
    const bool isSwapped = isMask && isKnown(a);
    const BoxValue &x = isSwapped ? b : a, &by = isSwapped ? a : b;
    if (op.operands.size() == 2 && !isKnown(x)) {
      if (opcode == Opcode::Mul || isMask || opcode == Opcode::Div || opcode == Opcode::Rem ||
          opcode == Opcode::Shr)
        if (!isKnown(by) && !makeKnown(by))
          return false;
      if (opcode == Opcode::Mul && (made = linear(opcode, x, &by)) && fits(*made, type)) {
        result = *made;
        return true;
      }
      if (isPeriodic(opcode, by.base) && isKnown(by) && isWithin(x, 0, INT64_MAX))
        if ((made = periodic(opcode, x, by.base)) && fits(*made, type)) {
          result = *made;
          return true;
        }
      if (blamed_)
        return false;
    }
  }
  return exact(op, opcode);
}

/// x less a multiple of `size`, from 0 on: in the box, that is cut where the multiple changes.
std::optional<BoxValue> ProfileSummary::BoxWalk::remainder(const BoxValue &x, int64_t size) {
  BoxValue rest;
  rest.base = floorRemainder(x.base, size);
  for (unsigned d = 0; d < plan_.symbols; ++d)
    if (x.steps[d] % size != 0) {
      blamed_ = d;
      return std::nullopt;
    }
  for (unsigned d : open_) {
    rest.steps[d] = frames_[d].count == 1 ? 0 : x.steps[d] % size;
    if (rest.steps[d] > size / 2)
      rest.steps[d] -= size;
    else if (rest.steps[d] < -(size / 2))
      rest.steps[d] += size;
  }
  if (const std::optional<ValueRange> of = range(rest); of && of->low >= 0 && of->high < size)
    return rest;
  const std::optional<unsigned> only = onlyChanging(rest.steps);
  for (unsigned d : open_)
    if (d != only)
      rest.steps[d] = 0; // single now
  if (!only)
    return rest;
  const int64_t step = rest.steps[*only];
  int64_t &count = frames_[*only].count;
  count = std::min(count, (step > 0 ? (size - 1 - rest.base) / step : rest.base / -step) + 1);
  if (count == 1)
    rest.steps[*only] = 0;
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
        rest && low ? scaled(*rest, 1, *low, -1, plan_.dimensions()) : std::nullopt;
    sum = middle ? scaled(*sum, 1, *middle, 1, plan_.dimensions()) : std::nullopt;
  }
  return sum;
}

/// Of a value from 0 on.
std::optional<BoxValue> ProfileSummary::BoxWalk::periodic(Opcode opcode, const BoxValue &x,
                                                          int64_t constant) {
  const unsigned dimensions = plan_.dimensions();
  if (opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor) {
    const std::optional<BoxValue> ones = masked(x, static_cast<uint64_t>(constant));
    if (!ones || opcode == Opcode::And)
      return ones;
    std::optional<BoxValue> without =
        scaled(x, 1, *ones, opcode == Opcode::Or ? -1 : -2, dimensions);
    if (!without || __builtin_add_overflow(without->base, constant, &without->base))
      return std::nullopt;
    return without;
  }
  const int64_t size = opcode == Opcode::Shr ? int64_t(1) << constant : constant;
  const std::optional<BoxValue> rest = remainder(x, size);
  if (!rest || opcode == Opcode::Rem)
    return rest;
  const std::optional<BoxValue> high = scaled(x, 1, *rest, -1, dimensions);
  if (!high)
    return std::nullopt;
  BoxValue quotient;
  quotient.base = high->base / size;
  for (unsigned d = 0; d < dimensions; ++d) // a range of one iteration has no step
    quotient.steps[d] = d >= plan_.symbols && frames_[d].count == 1 ? 0 : high->steps[d] / size;
  return quotient;
}

static bool holds(Opcode opcode, int64_t difference) {
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

/// a < b: in the box, that is cut where the outcome changes.
bool ProfileSummary::BoxWalk::compare(const Op &op, Opcode opcode, const BoxValue &b) {
  const BoxValue &a = value(op.operands[0]);
  BoxValue &result = value(op.results[0]);
  if (summary_.typeOf(op.operands[0]) == ScalarType::U64) {
    if (isKnown(a) && isKnown(b))
      return exact(op, op.opcode);
    if (!isWithin(a, 0, INT64_MAX) || !isWithin(b, 0, INT64_MAX))
      return false;
  }
  const std::optional<BoxValue> difference = scaled(a, 1, b, -1, plan_.dimensions());
  std::optional<ValueRange> values = difference ? range(*difference) : std::nullopt;
  if (!values || difference->base == INT64_MIN)
    return false;
  const auto isOne = [&] {
    const bool isOfEquality = opcode == Opcode::Eq || opcode == Opcode::Ne;
    return isOfEquality ? values->low == values->high || values->low > 0 || values->high < 0
                        : holds(opcode, values->low) == holds(opcode, values->high);
  };
  if (hasSymbols(*difference)) {
    const bool isGuarded = values->low > 0    ? isWithin(*difference, 1, INT64_MAX)
                           : values->high < 0 ? isWithin(*difference, INT64_MIN, -1)
                                              : false;
    if (!isGuarded)
      return makeKnown(*difference); // the symbol has to be
  } else if (!isOne()) {
    if (const std::optional<unsigned> only = onlyChanging(difference->steps)) {
      int64_t &count = frames_[*only].count;
      count = std::min(count, firstOther(opcode, difference->base, difference->steps[*only]));
    }
  }
  result = {};
  result.base = holds(opcode, difference->base);
  return true;
}

} // namespace colonnade::model

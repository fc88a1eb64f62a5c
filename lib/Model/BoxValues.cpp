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

LinearValue ProfileSummary::BoxWalk::withSymbols(const BoxValue &value, int64_t base) const {
  LinearValue result = LinearValue::of(ir::makeInt(ScalarType::S64, base));
  forEachDimension(value.changing & symbols(),
                   [&](unsigned d) { result.terms[d] = value.steps[d]; });
  return result;
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

/// Of the symbols as they are. nullopt: beyond 64 bits.
std::optional<ValueRange> ProfileSummary::BoxWalk::range(const BoxValue &value) const {
  ValueRange range{value.base, value.base};
  bool overflows = false;
  forEachDimension(value.changing & ranged_, [&](unsigned d) {
    int64_t change;
    int64_t &end = value.steps[d] < 0 ? range.low : range.high;
    overflows |= __builtin_mul_overflow(value.steps[d], frames_[d].count - 1, &change) ||
                 __builtin_add_overflow(end, change, &end);
  });
  return overflows ? std::nullopt : std::optional(range);
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

/// a * scale + b * otherScale, at its place: copies take longer than sums. False: beyond 64 bits.
static bool scaledSum(const BoxValue &a, int64_t scale, const BoxValue &b, int64_t otherScale,
                      BoxValue &sum) {
  const auto add = [&](int64_t x, int64_t y, int64_t &to) {
    int64_t p, q;
    return !__builtin_mul_overflow(x, scale, &p) && !__builtin_mul_overflow(y, otherScale, &q) &&
           !__builtin_add_overflow(p, q, &to);
  };
  sum = {};
  bool fits = add(a.base, b.base, sum.base);
  forEachDimension(a.changing | b.changing, [&](unsigned d) {
    int64_t step = 0;
    fits &= add(a.steps[d], b.steps[d], step);
    sum.setStep(d, step);
  });
  return fits;
}

static std::optional<BoxValue> scaled(const BoxValue &a, int64_t scale, const BoxValue &b,
                                      int64_t otherScale) {
  BoxValue sum;
  return scaledSum(a, scale, b, otherScale, sum) ? std::optional(sum) : std::nullopt;
}

/// Without looking whether a type holds it. False: it is not linear.
bool ProfileSummary::BoxWalk::linear(Opcode opcode, const BoxValue &a, const BoxValue &b,
                                     BoxValue &result) const {
  static const BoxValue Zero;
  switch (opcode) {
  case Opcode::Neg:
    return scaledSum(a, -1, Zero, 0, result);
  case Opcode::Cast:
    result = a;
    return true;
  case Opcode::Add:
    return scaledSum(a, 1, b, 1, result);
  case Opcode::Sub:
    return scaledSum(a, 1, b, -1, result);
  case Opcode::Mul:
    if (isKnown(b))
      return scaledSum(a, b.base, Zero, 0, result);
    return isKnown(a) && scaledSum(b, a.base, Zero, 0, result);
  case Opcode::Shl:
    return isKnown(b) && b.base >= 0 && b.base < 40 &&
           scaledSum(a, int64_t(1) << b.base, Zero, 0, result);
  default:
    return false;
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

/// What a kernel's operation computes.
static Opcode meantBy(Opcode opcode) {
  switch (opcode) {
  case Opcode::Blend:
    return Opcode::Select;
  case Opcode::MulLowHalves:
    return Opcode::Mul;
  case Opcode::DivConstant:
    return Opcode::Div;
  case Opcode::RemConstant:
    return Opcode::Rem;
  default:
    return opcode;
  }
}

bool ProfileSummary::BoxWalk::evaluate(OpId id) {
  const Op &op = function_.op(id);
  if (op.opcode == Opcode::Constant)
    return true; // known before
  if (const IntegerOperation &operation = summary_.integers_[id.index]; operation.isSome()) {
    const BoxValue &a = value(operation.a), &b = value(operation.b);
    const ScalarType type = ScalarType::S64; // its width is not looked at
    if (isKnown(a) && isKnown(b))
      if (const auto result = operation.of({type, static_cast<uint64_t>(a.base)},
                                           {type, static_cast<uint64_t>(b.base)})) {
        value(op.results[0]) = {};
        value(op.results[0]).base = ir::asInt64(*result);
        return true;
      }
  }
  const Opcode opcode = meantBy(op.opcode);
  if (opcode == Opcode::Select)
    return select(op);
  if (llvm::any_of(op.operands, [&](ValueId operand) { return value(operand).isData; })) {
    value(op.results[0]) = BoxValue::data();
    return summary_.isKernel_;
  }
  if (!ir::isInteger(summary_.typeOf(op.operands[0])))
    return exact(op, opcode);
  if (ir::isComparison(opcode))
    return compare(op, opcode, value(op.operands[1]));
  const ScalarType type = summary_.typeOf(op.results[0]);
  if (opcode == Opcode::Cast && type == ScalarType::Bool)
    return compare(op, Opcode::Ne, BoxValue());
  return ir::isInteger(type) ? whole(opcode, op) : exact(op, opcode);
}

bool ProfileSummary::BoxWalk::select(const Op &op) {
  const BoxValue &condition = value(op.operands[0]);
  if (condition.isData) {
    value(op.results[0]) = BoxValue::data();
    return summary_.isKernel_;
  }
  if (!makeKnown(condition))
    return false;
  value(op.results[0]) = value(op.operands[condition.base ? 1 : 2]);
  return true;
}

static bool holdsAllOf(ScalarType type, ScalarType other) {
  return ir::bitWidth(type) > ir::bitWidth(other) && (ir::isSigned(type) || !ir::isSigned(other));
}

/// Integers in, an integer out.
bool ProfileSummary::BoxWalk::whole(Opcode opcode, const Op &op) {
  const ScalarType type = summary_.typeOf(op.results[0]);
  const BoxValue &a = value(op.operands[0]), &b = value(op.operands.back());
  BoxValue &result = value(op.results[0]);
  if (opcode == Opcode::Cast && holdsAllOf(type, summary_.typeOf(op.operands[0]))) {
    result = a;
    return true;
  }
  const bool isMade =
      linear(opcode, a, b, result) || (op.operands.size() == 2 && periodic(opcode, a, b, result));
  if (blamed_)
    return false;
  if (isMade && (fits(result, type) || wrapped(result, type)))
    return true;
  return !blamed_ && exact(op, opcode);
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
  const std::optional<ValueRange> of = range(value);
  if (!of || hasSymbols(value) || value.base == INT64_MIN)
    return false;
  if (of->low < 0 && of->high >= 0)
    cutWhereBelowZero(value);
  return true;
}

/// One of the operands is made known, if neither is. False: it is not linear so, or a symbol has to
/// be known.
bool ProfileSummary::BoxWalk::periodic(Opcode opcode, const BoxValue &a, const BoxValue &b,
                                       BoxValue &result) {
  const bool isMask = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
  const bool isSwapped = isMask && isKnown(a);
  const BoxValue &x = isSwapped ? b : a, &by = isSwapped ? a : b;
  if (!makeKnown(by))
    return false;
  if (opcode == Opcode::Mul || opcode == Opcode::Shl)
    return linear(opcode, x, by, result);
  if (!isPeriodic(opcode, by.base) || !isWithin(x, 0, INT64_MAX))
    return false;
  const std::optional<BoxValue> made = periodic(opcode, x, by.base);
  result = made.value_or(BoxValue());
  return made.has_value();
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
  if (const std::optional<ValueRange> of = range(rest); of && of->low >= 0 && of->high < size)
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
    const std::optional<BoxValue> middle = rest && low ? scaled(*rest, 1, *low, -1) : std::nullopt;
    sum = middle ? scaled(*sum, 1, *middle, 1) : std::nullopt;
  }
  return sum;
}

/// Of a value from 0 on.
std::optional<BoxValue> ProfileSummary::BoxWalk::periodic(Opcode opcode, const BoxValue &x,
                                                          int64_t constant) {
  if (opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor) {
    const std::optional<BoxValue> ones = masked(x, static_cast<uint64_t>(constant));
    if (!ones || opcode == Opcode::And)
      return ones;
    std::optional<BoxValue> without = scaled(x, 1, *ones, opcode == Opcode::Or ? -1 : -2);
    if (!without || __builtin_add_overflow(without->base, constant, &without->base))
      return std::nullopt;
    return without;
  }
  const int64_t size = opcode == Opcode::Shr ? int64_t(1) << constant : constant;
  const std::optional<BoxValue> rest = remainder(x, size);
  if (!rest || opcode == Opcode::Rem)
    return rest;
  const std::optional<BoxValue> high = scaled(x, 1, *rest, -1);
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
      result.base = holds(opcode, isABeyond ? 1 : -1);
      return true;
    }
  }
  BoxValue difference;
  const bool is64Bits = scaledSum(a, 1, b, -1, difference);
  const std::optional<ValueRange> values = is64Bits ? range(difference) : std::nullopt;
  if (!values || difference.base == INT64_MIN)
    return false;
  const auto isOne = [&] {
    const bool isOfEquality = opcode == Opcode::Eq || opcode == Opcode::Ne;
    return isOfEquality ? values->low == values->high || values->low > 0 || values->high < 0
                        : holds(opcode, values->low) == holds(opcode, values->high);
  };
  if (hasSymbols(difference)) {
    const bool isGuarded = values->low > 0    ? isWithin(difference, 1, INT64_MAX)
                           : values->high < 0 ? isWithin(difference, INT64_MIN, -1)
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
  result.base = holds(opcode, difference.base);
  return true;
}

} // namespace colonnade::model

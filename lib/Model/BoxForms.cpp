//===- BoxForms.cpp - On which counters values depend ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations of a nest, before it is run. Out: on which of its counters their results depend,
// and what has to be walked for them to be linear (Boxes.h).
//
// Invariant: none that results rest on: a plan that is wrong makes more boxes, not others.
//
//===----------------------------------------------------------------------===//

#include "Model/Boxes.h"

#include <cmath>
#include <numeric>

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using FormKind = BoxForm::Kind;
using DemandKind = BoxDemand::Kind;

static constexpr int64_t MaxMaskStride = 4096;
static constexpr int64_t FewerClasses = 4; // than blocks of masks, by that factor
static constexpr int64_t MaxBoxDivisor = int64_t(1) << 20;

static BoxForm dataForm() {
  BoxForm form;
  form.kind = FormKind::Data;
  return form;
}

/// The same in all iterations of the box that it is in.
static BoxForm constantForm(double low, double high) {
  BoxForm form;
  form.low = low;
  form.high = high;
  return form;
}

static BoxForm zeroForm() {
  BoxForm form;
  form.isExact = true;
  return form;
}

static BoxForm piecewise(uint32_t loops, double low, double high) {
  BoxForm form = constantForm(low, high);
  form.kind = loops ? FormKind::Piecewise : FormKind::Linear;
  form.loops = loops;
  return form;
}

bool isKnownForm(const BoxForm &form) {
  return form.kind == FormKind::Linear && form.isExact && form.divisor == 1 &&
         form.value.steps == BoxSteps();
}

uint32_t ProfileSummary::BoxPlanner::loopsOf(const BoxSteps &steps) const {
  uint32_t loops = 0;
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop)
    loops |= uint32_t(steps[plan_.symbols + loop] != 0) << loop;
  return loops;
}

BoxForm ProfileSummary::BoxPlanner::formOf(ValueId id) {
  if (const auto found = forms_.find(id.index); found != forms_.end())
    return found->second;
  plan_.outside.push_back(id);
  const LinearValue &of = summary_.values_[id.index];
  BoxForm form = dataForm();
  if (of.kind == LinearValue::Kind::Linear && !ir::isFloat(summary_.typeOf(id))) {
    form.kind = FormKind::Linear;
    form.isExact = true;
    form.value.base = ir::asInt64(of.scalar);
    form.low = form.high = static_cast<double>(form.value.base);
    for (auto [symbol, coefficient] : of.terms)
      form.value.setStep(symbol, coefficient);
  }
  define(id, form);
  return form;
}

/// a * scale + b * otherScale
BoxForm ProfileSummary::BoxPlanner::sum(const BoxForm &a, int64_t scale, const BoxForm &b,
                                        int64_t otherScale) const {
  if (a.kind == FormKind::Data || b.kind == FormKind::Data)
    return dataForm();
  BoxForm result = piecewise(a.loops | b.loops, 0, 0);
  for (auto [form, by] : {std::pair(&a, scale), {&b, otherScale}}) {
    const double first = form->low * static_cast<double>(by),
                 second = form->high * static_cast<double>(by);
    result.low += std::min(first, second);
    result.high += std::max(first, second);
  }
  const int64_t divisor = std::lcm(a.divisor, b.divisor);
  if (a.kind != FormKind::Linear || b.kind != FormKind::Linear || divisor > MaxBoxDivisor)
    return result;
  BoxForm linear = result;
  linear.kind = FormKind::Linear;
  linear.divisor = divisor;
  linear.isExact = a.isExact && b.isExact;
  const auto add = [&](int64_t x, int64_t y, int64_t &to) {
    int64_t p, q;
    return !__builtin_mul_overflow(x, scale * (divisor / a.divisor), &p) &&
           !__builtin_mul_overflow(y, otherScale * (divisor / b.divisor), &q) &&
           !__builtin_add_overflow(p, q, &to);
  };
  bool fits = add(a.value.base, b.value.base, linear.value.base);
  for (unsigned d = 0; d < MaxBoxDimensions; ++d)
    fits &= add(a.value.steps[d], b.value.steps[d], linear.value.steps[d]);
  linear.loops = loopsOf(linear.value.steps);
  return fits ? linear : result;
}

BoxForm ProfileSummary::BoxPlanner::product(const BoxForm &a, const BoxForm &b) {
  constexpr int64_t MaxScale = int64_t(1) << 40;
  for (auto [scale, of] : {std::pair(&a, &b), {&b, &a}})
    if (isKnownForm(*scale) && std::abs(scale->value.base) < MaxScale)
      return sum(*of, scale->value.base, zeroForm(), 0);
  if (a.kind == FormKind::Data || b.kind == FormKind::Data)
    return dataForm();
  if (a.loops && b.loops)
    demand(DemandKind::OneSide, a.loops, b.loops);
  const auto [low, high] =
      std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return piecewise(a.loops | b.loops, low, high);
}

/// Of each loop, after how many iterations the remainder comes again: 1, if it never changes.
static int64_t boxPeriodOf(const BoxForm &x, unsigned dimension, int64_t size) {
  const int64_t all = size * x.divisor;
  return all / std::gcd(all, x.value.steps[dimension]);
}

/// Either the iterations are taken by their remainder, or in blocks within which the value's does
/// not begin again.
BoxForm ProfileSummary::BoxPlanner::remainder(const BoxForm &x, int64_t size) {
  if (x.kind == FormKind::Data)
    return dataForm();
  BoxForm rest = piecewise(x.loops, 0, static_cast<double>(size - 1));
  if (x.kind != FormKind::Linear || size > MaxBoxDivisor) {
    demand(DemandKind::AllButOne, x.loops);
    return rest;
  }
  uint32_t changing = 0;
  bool areClasses = true;
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop) {
    const int64_t period = boxPeriodOf(x, plan_.symbols + loop, size);
    changing |= uint32_t(period > 1) << loop;
    areClasses &= period == 1 || std::lcm(plan_.loops[loop].stride, period) <= maxStride_;
  }
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop)
    if (changing == uint32_t(1) << loop) { // whichever is less
      const int64_t period = boxPeriodOf(x, plan_.symbols + loop, size);
      areClasses &= period <= plan_.loops[loop].most / period;
    }
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop) {
    BoxLoop &of = plan_.loops[loop];
    const int64_t period = boxPeriodOf(x, plan_.symbols + loop, size);
    if (areClasses)
      of.stride = std::lcm(of.stride, period);
    else if (period > 1)
      of.pieces = std::max(of.pieces, of.most / period + 1);
  }
  isNeeded_ |= llvm::popcount(changing) > 1;
  if (areClasses)
    return constantForm(0, static_cast<double>(size - 1));
  demand(DemandKind::AllButOne, changing);
  rest.loops = changing;
  return rest;
}

BoxForm ProfileSummary::BoxPlanner::quotient(const BoxForm &x, int64_t size) {
  const BoxForm rest = remainder(x, size);
  if (rest.kind == FormKind::Data)
    return rest;
  const double of = static_cast<double>(size);
  BoxForm result = piecewise(x.loops, x.low / of, x.high / of);
  if (rest.kind != FormKind::Linear || x.divisor > MaxBoxDivisor / size)
    return result;
  result.kind = FormKind::Linear;
  result.value = x.value;
  result.divisor = x.divisor * size;
  return result;
}

/// x ^ y: y is walked; of x, the iterations are taken by the bits that y may change, if they come
/// again often enough.
BoxForm ProfileSummary::BoxPlanner::maskedByOther(Opcode opcode, const BoxForm &a,
                                                  const BoxForm &b) {
  if (a.kind == FormKind::Data || b.kind == FormKind::Data)
    return dataForm();
  const BoxForm &x = a.high < b.high ? b : a, &by = a.high < b.high ? a : b;
  demand(DemandKind::All, by.loops);
  isNeeded_ |= x.loops != 0 && by.loops != 0;
  BoxForm result = piecewise(x.loops, 0, a.high + b.high);
  if (by.low < 0 || by.high > double(MaxBoxDivisor) || x.kind != FormKind::Linear) {
    demand(DemandKind::All, x.loops);
    return result;
  }
  const auto size = static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(by.high) + 1));
  bool areClasses = true;
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop) {
    const int64_t period = boxPeriodOf(x, plan_.symbols + loop, size);
    areClasses &= period == 1 || (std::lcm(plan_.loops[loop].stride, period) <= MaxMaskStride &&
                                  period <= plan_.loops[loop].most / FewerClasses);
  }
  for (unsigned loop = 0; loop < plan_.loops.size(); ++loop) {
    BoxLoop &of = plan_.loops[loop];
    const int64_t period = boxPeriodOf(x, plan_.symbols + loop, size);
    if (areClasses)
      of.stride = std::lcm(of.stride, period);
    else if (period > 1) // a mask's lowest bits are seldom many
      of.pieces = std::max(of.pieces, of.most / FewerClasses + 1);
  }
  if (!areClasses) {
    demand(DemandKind::AllButOne, x.loops);
    return result;
  }
  return opcode == Opcode::And ? constantForm(0, by.high)
                               : sum(x, 1, constantForm(-by.high, by.high), 1);
}

/// As of LinearValue.cpp.
BoxForm ProfileSummary::BoxPlanner::masked(const BoxForm &x, uint64_t mask) {
  BoxForm result = constantForm(0, 0);
  while (mask != 0) {
    const uint64_t lowest = mask & -mask, behind = (mask + lowest) & ~mask;
    mask &= -behind;
    const BoxForm middle = sum(remainder(x, static_cast<int64_t>(behind)), 1,
                               remainder(x, static_cast<int64_t>(lowest)), -1);
    result = sum(result, 1, middle, 1);
  }
  return result;
}

BoxForm ProfileSummary::BoxPlanner::merged(const BoxForm &a, const BoxForm &b) const {
  if (a.kind == FormKind::Data || b.kind == FormKind::Data)
    return dataForm();
  return piecewise(a.loops | b.loops, std::min(a.low, b.low), std::max(a.high, b.high));
}

BoxForm ProfileSummary::BoxPlanner::compared(const BoxForm &a, const BoxForm &b) {
  const BoxForm difference = sum(a, 1, b, -1);
  if (difference.kind == FormKind::Data)
    return difference;
  if (difference.low > 0 || difference.high < 0)
    return constantForm(0, 1); // it has one outcome
  demand(DemandKind::AllButOne, difference.loops);
  isNeeded_ |= llvm::popcount(difference.loops) > 1;
  return constantForm(0, 1);
}

std::optional<BoxForm> ProfileSummary::BoxPlanner::linearForm(Opcode opcode,
                                                              llvm::ArrayRef<BoxForm> of) {
  switch (opcode) {
  case Opcode::Neg:
    return sum(of[0], -1, zeroForm(), 0);
  case Opcode::Cast:
    return sum(of[0], 1, zeroForm(), 0);
  case Opcode::Add:
    return sum(of[0], 1, of[1], 1);
  case Opcode::Sub:
    return sum(of[0], 1, of[1], -1);
  case Opcode::Mul:
    return product(of[0], of[1]);
  case Opcode::Select:
    return merged(of[1], of[2]);
  default:
    return std::nullopt;
  }
}

/// nullopt: it is none of what changes in periods, or by what is not known.
std::optional<BoxForm> ProfileSummary::BoxPlanner::periodicForm(Opcode opcode,
                                                                llvm::ArrayRef<BoxForm> of) {
  constexpr int64_t MaxMask = int64_t(1) << 40, MaxShift = 40;
  const bool isMask = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
  if (of.size() != 2)
    return std::nullopt;
  const bool isSwapped = isMask && isKnownForm(of[0]);
  const BoxForm &x = of[isSwapped], &c = of[!isSwapped];
  const int64_t by = isKnownForm(c) ? c.value.base : -1;
  if (isMask) {
    if (by < 0 || by >= MaxMask)
      return maskedByOther(opcode, x, c);
    const BoxForm ones = masked(x, static_cast<uint64_t>(by));
    return opcode == Opcode::And ? ones : sum(x, 1, ones, opcode == Opcode::Or ? -1 : -2);
  }
  if ((opcode == Opcode::Shl || opcode == Opcode::Shr) && by >= 0 && by < MaxShift)
    return opcode == Opcode::Shr ? quotient(x, int64_t(1) << by)
                                 : sum(x, int64_t(1) << by, zeroForm(), 0);
  if ((opcode == Opcode::Div || opcode == Opcode::Rem) && by > 0 && by < MaxMask) {
    if (x.low < 0) // rounded to 0
      demand(DemandKind::AllButOne, x.loops);
    return opcode == Opcode::Div ? quotient(x, by) : remainder(x, by);
  }
  return std::nullopt;
}

BoxForm ProfileSummary::BoxPlanner::scalarForm(Opcode opcode, llvm::ArrayRef<ValueId> operands) {
  llvm::SmallVector<BoxForm, 3> of;
  for (ValueId operand : operands)
    of.push_back(formOf(operand));
  if (ir::isComparison(opcode))
    return compared(of[0], of[1]);
  if (std::optional<BoxForm> form = linearForm(opcode, of))
    return *form;
  if (std::optional<BoxForm> form = periodicForm(opcode, of))
    return *form;
  uint32_t loops = 0;
  for (const BoxForm &form : of) {
    if (form.kind == FormKind::Data)
      return dataForm();
    loops |= form.loops;
  }
  demand(DemandKind::All, loops);
  return constantForm(0, 1 << 30);
}

/// Of a type without a sign, what is below zero is so much below the type's end.
BoxForm ProfileSummary::BoxPlanner::wrapped(BoxForm form, ir::ScalarType type) {
  if (form.kind == FormKind::Data || !ir::isInteger(type) || ir::isSigned(type))
    return form;
  const double end = std::ldexp(1.0, static_cast<int>(ir::bitWidth(type)));
  if (form.low >= 0 && form.high < end)
    return form;
  demand(DemandKind::AllButOne, form.loops);
  form.isExact = false;
  form.low = 0;
  form.high = end;
  return form;
}

BoxForm ProfileSummary::BoxPlanner::plain(const Op &op) {
  switch (op.opcode) {
  case Opcode::AnyLane:
    return formOf(op.operands[0]);
  case Opcode::Blend:
    return scalarForm(Opcode::Select, op.operands);
  case Opcode::MulLowHalves:
    return scalarForm(Opcode::Mul, op.operands);
  case Opcode::DivConstant:
    return scalarForm(Opcode::Div, op.operands);
  case Opcode::RemConstant:
    return scalarForm(Opcode::Rem, op.operands);
  case Opcode::Cast:
    if (summary_.typeOf(op.results[0]) == ir::ScalarType::Bool)
      return compared(formOf(op.operands[0]), zeroForm());
    [[fallthrough]];
  default:
    return scalarForm(op.opcode, op.operands);
  }
}

} // namespace colonnade::model

//===- DigitTerms.cpp - Numbers and conditions made of counters -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: operations on numbers. Out: numbers, each once (Digits.h), and what is known of their ranges.
//
// Invariant: sums have no sums in them, so equal ones are the same number.
//
//===----------------------------------------------------------------------===//

#include "Model/Digits.h"

#include "Model/Stages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

namespace colonnade::model {

using NumberKind = DigitNumber::Kind;
using TruthKind = DigitTruth::Kind;
using Term = DigitNumber::Term;

static constexpr int64_t Most = int64_t(1) << 61;

static unsigned widthOf(int64_t last) {
  return static_cast<unsigned>(llvm::bit_width(static_cast<uint64_t>(std::max<int64_t>(last, 0))));
}

DigitNumberId DigitSystem::add(DigitNumber made) {
  const auto isSame = [&](const DigitNumber &other) {
    return other.kind == made.kind && other.width == made.width && other.base == made.base &&
           other.terms == made.terms && other.truth == made.truth;
  };
  if (made.kind != NumberKind::Variable)
    if (const auto found = llvm::find_if(numbers_, isSame); found != numbers_.end())
      return static_cast<DigitNumberId>(found - numbers_.begin());
  for (auto [of, factor] : made.terms)
    made.loops |= numbers_[of].loops;
  if (made.kind == NumberKind::Choice)
    made.loops |= truths_[made.truth].loops;
  numbers_.push_back(std::move(made));
  return static_cast<DigitNumberId>(numbers_.size() - 1);
}

DigitTruthId DigitSystem::add(DigitTruth made) {
  for (DigitTruthId id = 0; id < truths_.size(); ++id)
    if (const DigitTruth &other = truths_[id];
        other.kind == made.kind && other.size == made.size && other.number == made.number &&
        other.first == made.first && other.second == made.second)
      return id;
  truths_.push_back(made);
  return static_cast<DigitTruthId>(truths_.size() - 1);
}

DigitNumberId DigitSystem::variable(int64_t last, uint32_t loops) {
  DigitNumber made{NumberKind::Variable};
  made.width = widthOf(last);
  made.range = made.reach = {0, (int64_t(1) << made.width) - 1};
  made.loops = loops;
  return add(std::move(made));
}

DigitNumberId DigitSystem::constant(int64_t value) {
  DigitNumber made{NumberKind::Sum};
  made.base = value;
  made.range = made.reach = {value, value};
  return add(std::move(made));
}

std::optional<int64_t> DigitSystem::constantOf(DigitNumberId id) const {
  const DigitNumber &of = numbers_[id];
  if (of.kind != NumberKind::Sum || !of.terms.empty())
    return std::nullopt;
  return of.base;
}

static bool addScaled(ValueRange &to, ValueRange of, int64_t factor) {
  int64_t a, b;
  if (__builtin_mul_overflow(of.low, factor, &a) || __builtin_mul_overflow(of.high, factor, &b) ||
      __builtin_add_overflow(to.low, std::min(a, b), &to.low) ||
      __builtin_add_overflow(to.high, std::max(a, b), &to.high))
    return false;
  return to.low > -Most && to.high < Most;
}

std::optional<DigitNumberId> DigitSystem::sumOf(DigitNumber sum) {
  if (sum.base <= -Most || sum.base >= Most)
    return std::nullopt;
  llvm::erase_if(sum.terms, [](const Term &term) { return term.second == 0; });
  llvm::sort(sum.terms);
  if (sum.base == 0 && sum.terms.size() == 1 && sum.terms[0].second == 1)
    return sum.terms[0].first;
  sum.range = sum.reach = {sum.base, sum.base};
  for (auto [of, factor] : sum.terms)
    if (!addScaled(sum.range, numbers_[of].range, factor) ||
        !addScaled(sum.reach, numbers_[of].reach, factor))
      return std::nullopt;
  return add(std::move(sum));
}

std::optional<DigitNumberId> DigitSystem::sum(DigitNumberId a, int64_t scale, DigitNumberId b,
                                              int64_t otherScale) {
  DigitNumber sum{NumberKind::Sum};
  bool fits = true;
  const auto addTerm = [&](DigitNumberId of, int64_t factor, int64_t scale) {
    int64_t product;
    fits &= !__builtin_mul_overflow(factor, scale, &product);
    Term *at = llvm::find_if(sum.terms, [&](const Term &term) { return term.first == of; });
    if (at == sum.terms.end())
      at = sum.terms.insert(at, {of, 0});
    fits &= !__builtin_add_overflow(at->second, product, &at->second);
  };
  for (auto [id, by] : {std::pair(a, scale), {b, otherScale}}) {
    const DigitNumber &of = numbers_[id];
    if (of.kind != NumberKind::Sum) {
      addTerm(id, 1, by);
      continue;
    }
    int64_t product;
    fits &= !__builtin_mul_overflow(of.base, by, &product) &&
            !__builtin_add_overflow(sum.base, product, &sum.base);
    for (auto [term, factor] : of.terms)
      addTerm(term, factor, by);
  }
  return fits ? sumOf(std::move(sum)) : std::nullopt;
}

/// Of a mask of numbers in these ranges.
static ValueRange rangeOfMask(NumberKind kind, ValueRange a, ValueRange b) {
  const auto digits = [](ValueRange of) { return std::max(widthOf(of.high), widthOf(~of.low)); };
  const int64_t end = int64_t(1) << std::max(digits(a), digits(b));
  const bool isOfBoth = a.low >= 0 && b.low >= 0;
  if (kind == NumberKind::And && (a.low >= 0 || b.low >= 0))
    return {0, isOfBoth ? std::min(a.high, b.high) : a.low >= 0 ? a.high : b.high};
  return {isOfBoth ? 0 : -end, end - 1};
}

DigitNumberId DigitSystem::masked(NumberKind kind, DigitNumberId a, DigitNumberId b) {
  DigitNumber made{kind};
  made.terms = {{std::min(a, b), 0}, {std::max(a, b), 0}};
  made.range = rangeOfMask(kind, numbers_[a].range, numbers_[b].range);
  made.reach = rangeOfMask(kind, numbers_[a].reach, numbers_[b].reach);
  return add(std::move(made));
}

/// A sum with smaller factors, equal to x modulo size: its carries are fewer. One that is not below
/// 0 stays so, if `staysPositive`.
std::optional<DigitNumberId> DigitSystem::reduced(DigitNumberId x, int64_t size,
                                                  bool staysPositive) {
  DigitNumber sum = numbers_[x];
  if (sum.kind != NumberKind::Sum)
    return x;
  const auto isSmall = [&](const Term &term) { return std::abs(term.second) < size; };
  if (staysPositive && llvm::all_of(sum.terms, isSmall))
    return x;
  sum.base = floorRemainder(sum.base, size);
  for (auto &[of, factor] : sum.terms) {
    factor = floorRemainder(factor, size);
    if (!staysPositive && factor > size / 2)
      factor -= size;
  }
  return sumOf(std::move(sum));
}

std::optional<DigitNumberId> DigitSystem::low(DigitNumberId x, unsigned width) {
  const ValueRange range = numbers_[x].range;
  if (width >= 61)
    return std::nullopt;
  const int64_t end = int64_t(1) << width;
  if (range.low >= 0 && range.high < end)
    return x;
  const std::optional<DigitNumberId> of = reduced(x, end, false);
  if (!of)
    return std::nullopt;
  DigitNumber made{NumberKind::Low};
  made.width = width;
  made.terms = {{*of, 0}};
  made.range = made.reach = {0, end - 1};
  return add(std::move(made));
}

std::optional<DigitNumberId> DigitSystem::quotient(DigitNumberId x, int64_t size) {
  const ValueRange range = numbers_[x].range;
  if (range.low < 0 || size < 1)
    return std::nullopt;
  if (size == 1)
    return x;
  if (range.low / size == range.high / size)
    return constant(range.low / size);
  for (DigitTruthId id = 0; id < truths_.size(); ++id) // made before
    if (const DigitTruth &other = truths_[id];
        other.kind == TruthKind::Within && other.size == size && other.first == x)
      return other.second;
  const DigitNumberId made = variable(range.high / size, numbers_[x].loops);
  narrow(made, {range.low / size, range.high / size});
  const std::optional<DigitNumberId> rest = sum(x, 1, made, -size);
  if (!rest)
    return std::nullopt;
  narrow(*rest, {0, size - 1});
  numbers_[made].given = add(DigitTruth{TruthKind::Within, size, *rest, x, made, 0});
  return made;
}

std::optional<DigitNumberId> DigitSystem::remainder(DigitNumberId x, int64_t size) {
  if (numbers_[x].range.low < 0 || size < 1)
    return std::nullopt;
  if (numbers_[x].range.high < size)
    return x;
  if (llvm::has_single_bit(static_cast<uint64_t>(size)))
    return low(x, widthOf(size - 1));
  const std::optional<DigitNumberId> of = reduced(x, size, true);
  const std::optional<DigitNumberId> times = of ? quotient(*of, size) : std::nullopt;
  return times ? sum(*of, 1, *times, -size) : std::nullopt;
}

std::optional<DigitNumberId> DigitSystem::choice(DigitTruthId truth, DigitNumberId a,
                                                 DigitNumberId b) {
  if (const std::optional<bool> known = constantTruth(truth))
    return *known ? a : b;
  DigitNumber made{NumberKind::Choice};
  made.terms = {{a, 0}, {b, 0}};
  made.truth = truth;
  made.range = hullOf(numbers_[a].range, numbers_[b].range);
  made.reach = hullOf(numbers_[a].reach, numbers_[b].reach);
  return a == b ? a : add(std::move(made));
}

void DigitSystem::narrow(DigitNumberId id, ValueRange range) {
  ValueRange &of = numbers_[id].range;
  of = {std::max(of.low, range.low), std::min(of.high, range.high)};
}

DigitTruthId DigitSystem::constantly(bool value) {
  return add(DigitTruth{TruthKind::Constant, value});
}

std::optional<bool> DigitSystem::constantTruth(DigitTruthId id) const {
  const DigitTruth &of = truths_[id];
  return of.kind == TruthKind::Constant ? std::optional(of.size != 0) : std::nullopt;
}

DigitTruthId DigitSystem::isNegative(DigitNumberId id) {
  const DigitNumber &of = numbers_[id];
  if (of.range.low >= 0 || of.range.high < 0)
    return constantly(of.range.high < 0);
  return add(DigitTruth{TruthKind::Negative, 0, id, 0, 0, of.loops});
}

DigitTruthId DigitSystem::isZero(DigitNumberId id) {
  const DigitNumber &of = numbers_[id];
  if (of.range.low > 0 || of.range.high < 0 || of.range == ValueRange{0, 0})
    return constantly(of.range == ValueRange{0, 0});
  return add(DigitTruth{TruthKind::Zero, 0, id, 0, 0, of.loops});
}

DigitTruthId DigitSystem::isNot(DigitTruthId id) {
  const DigitTruth of = truths_[id];
  if (of.kind == TruthKind::Constant)
    return constantly(of.size == 0);
  return of.kind == TruthKind::Not ? of.first
                                   : add(DigitTruth{TruthKind::Not, 0, 0, id, 0, of.loops});
}

DigitTruthId DigitSystem::both(DigitTruthId a, DigitTruthId b) {
  for (auto [one, other] : {std::pair(a, b), {b, a}})
    if (const std::optional<bool> known = constantTruth(one))
      return *known ? other : one;
  const auto [first, second] = std::minmax(a, b);
  return a == b ? a
                : add(DigitTruth{TruthKind::And, 0, 0, first, second,
                                 truths_[a].loops | truths_[b].loops});
}

DigitTruthId DigitSystem::same(DigitTruthId a, DigitTruthId b) {
  for (auto [one, other] : {std::pair(a, b), {b, a}})
    if (const std::optional<bool> known = constantTruth(one))
      return *known ? other : isNot(other);
  const auto [first, second] = std::minmax(a, b);
  return a == b ? constantly(true)
                : add(DigitTruth{TruthKind::Same, 0, 0, first, second,
                                 truths_[a].loops | truths_[b].loops});
}

} // namespace colonnade::model

//===- ClosedForm.cpp - A number of accesses as a formula -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/ClosedForm.h"

namespace colonnade {

using Kind = SizeExpr::Kind;

static constexpr size_t MaxParts = 64;
static constexpr size_t MaxLoops = 10; // signs are shown at 2^loops corners

std::optional<CountedParts> joined(const CountedParts &a, const CountedParts &b) {
  CountedParts all = a;
  for (const CountedPart &part : b) {
    auto same =
        llvm::find_if(all, [&](const CountedPart &other) { return other.guards == part.guards; });
    if (same == all.end())
      all.push_back(part);
    else
      same->accesses = same->accesses + part.accesses;
  }
  llvm::erase_if(all, [](const CountedPart &part) { return part.accesses.isZero(); });
  if (all.size() > MaxParts)
    return std::nullopt;
  for (const CountedPart &part : all)
    if (!part.accesses.valid())
      return std::nullopt;
  return all;
}

ClosedForm::ClosedForm(const ir::Function &certificate, Affine &affine) : affine_(affine) {
  for (const ir::Array &array : certificate.arrays)
    for (const SizeExpr &extent : array.extents)
      for (const std::string &name : extent.names())
        sizes_.insert(name);
  for (const ir::ScalarParam &scalar : certificate.scalars)
    if (const ir::ScalarType type = certificate.value(scalar.value).type;
        ir::isInteger(type) && !ir::isSigned(type))
      sizes_.insert(scalar.name);
}

static bool hasCounter(const Polynomial &p) {
  return llvm::any_of(p.names(), [](const std::string &name) { return Affine::isCounter(name); });
}

/// Nothing that `name` stands for is negative.
bool ClosedForm::isSize(const std::string &name) const {
  const SizeExpr *atom = affine_.findAtom(name);
  if (!atom)
    return sizes_.count(name) != 0;
  const bool isBinary = atom->kind() >= Kind::Add;
  const int64_t right = isBinary ? atom->rhs().asConstant().value_or(-1) : -1;
  if (atom->kind() == Kind::Max)
    return right >= 0;
  if ((atom->kind() != Kind::Div && atom->kind() != Kind::Rem) || right <= 0)
    return false;
  std::optional<Polynomial> left = Polynomial::from(atom->lhs());
  return left && hasNoNegativeValue(*left, {});
}

/// Whether `p` holds in the first and in the last iteration of the innermost loop around whose
/// counter it has: where it is linear in the counter, it then holds in all between. Nothing where
/// it has no such counter. `holds` is given the loops around that one.
static std::optional<bool>
holdsAtEnds(const Polynomial &p, ClosedForm::Loops around,
            llvm::function_ref<bool(const Polynomial &, ClosedForm::Loops)> holds) {
  while (!around.empty() && (!around.back() || p.degree(around.back()->counter) == 0))
    around = around.drop_back();
  if (around.empty())
    return std::nullopt;
  const CounterRange &range = *around.back();
  const Polynomial last = range.first + Polynomial(range.step) * (range.iterations - Polynomial(1));
  return p.degree(range.counter) == 1 &&
         holds(p.substitute(range.counter, range.first), around.drop_back()) &&
         holds(p.substitute(range.counter, last), around.drop_back());
}

/// At the first and at the last value of each counter, and so between them.
bool ClosedForm::hasNoNegativeValue(const Polynomial &p, Loops around) const {
  if (!p.valid() || around.size() > MaxLoops)
    return false;
  if (std::optional<bool> atEnds =
          holdsAtEnds(p, around, [this](const Polynomial &end, Loops outer) {
            return hasNoNegativeValue(end, outer);
          }))
    return *atEnds;
  return llvm::all_of(p.names(), [&](const std::string &name) { return isSize(name); }) &&
         p.isNonNegative(0);
}

/// Within a loop it is known, too, that the loop runs an iteration.
bool ClosedForm::isNeverNegative(const Polynomial &p, Loops around) const {
  return hasNoNegativeValue(p, around) ||
         llvm::any_of(around, [&](const std::optional<CounterRange> &range) {
           return range && hasNoNegativeValue(p - range->iterations + Polynomial(1), around);
         });
}

/// At each corner, where each loop around runs an iteration. False where a counter has no range.
bool ClosedForm::isAssumed(const Polynomial &p, Loops around) const {
  if (!p.valid() || around.size() > MaxLoops)
    return false;
  // The loops within run an iteration at these corners, too.
  if (std::optional<bool> atEnds = holdsAtEnds(
          p, around, [&](const Polynomial &end, Loops) { return isAssumed(end, around); }))
    return *atEnds;
  return isNeverNegative(p, around) || llvm::is_contained(where_, p);
}

bool ClosedForm::assume(const std::vector<Polynomial> &numbers, Loops around) {
  for (const Polynomial &p : numbers) {
    if (isAssumed(p, around))
      continue;
    if (hasCounter(p) || p.asConstant() || !affine_.size(p).known())
      return false;
    where_.push_back(p);
  }
  return true;
}

std::vector<SizeExpr> ClosedForm::where() const {
  std::vector<SizeExpr> sizes;
  for (const Polynomial &p : where_)
    sizes.push_back(affine_.size(p));
  return sizes;
}

/// The largest or smallest of `values`, which may have counters of the loops around.
std::optional<Polynomial> ClosedForm::extreme(Kind kind, const std::vector<Polynomial> &values,
                                              Loops around) {
  std::optional<Polynomial> best = values.front();
  for (const Polynomial &value : llvm::drop_begin(values)) {
    const Polynomial excess = kind == Kind::Max ? value - *best : *best - value;
    if (isNeverNegative(excess, around))
      best = value;
    else if (!isNeverNegative(-excess, around))
      best = affine_.atom(kind, *best, value);
    if (!best)
      return std::nullopt;
  }
  return best;
}

/// max(p, 0), a name.
std::optional<Polynomial> ClosedForm::clamped(const Polynomial &p) {
  std::optional<Polynomial> clamp = affine_.atom(Kind::Max, p, Polynomial());
  if (clamp && clamp->names().size() == 1)
    clamps_.emplace(clamp->names().front(), p);
  return clamp;
}

/// A sum over max(p, 0) iterations is zero where there is none, whatever else it is made of: so
/// where p = n - 1, n may be replaced by max(n-1, 0) + 1.
Polynomial ClosedForm::inClampAlone(const Polynomial &sum, const Polynomial &clamp,
                                    const Polynomial &p) const {
  for (const std::string &name : p.names()) {
    std::vector<Polynomial> c = p.coefficients(name);
    if (affine_.findAtom(name) || c.size() != 2)
      continue;
    if (c[1] == Polynomial(1) || c[1] == Polynomial(-1))
      return sum.substitute(name, c[1] * (clamp - c[0]));
  }
  return sum;
}

std::optional<CountedPart> ClosedForm::overPart(const CountedPart &part, const CounterRange &range,
                                                bool postTest, Loops around) {
  // counter = first + step * iteration
  const std::string iteration = range.counter + "r";
  const Polynomial counter = range.first + Polynomial(range.step) * Polynomial::name(iteration);
  std::vector<Polynomial> starts = {Polynomial()}, ends = {range.iterations};
  CountedPart over;
  for (const Polynomial &guard : part.guards) {
    std::vector<Polynomial> c = guard.substitute(range.counter, counter).coefficients(iteration);
    if (c.size() == 1)
      over.guards.push_back(guard);
    else if (c.size() == 2 && c[1] == Polynomial(1))
      starts.push_back(-c[0]);
    else if (c.size() == 2 && c[1] == Polynomial(-1))
      ends.push_back(c[0] + Polynomial(1));
    else
      return std::nullopt;
  }
  const Polynomial accesses = part.accesses.substitute(range.counter, counter);
  if (postTest && !isNeverNegative(range.iterations - Polynomial(1), around)) {
    std::optional<Polynomial> more = clamped(range.iterations - Polynomial(1));
    if (!more || starts.size() + ends.size() > 2)
      return std::nullopt;
    over.accesses = accesses.sum(iteration, Polynomial(), Polynomial(1) + *more);
    return over;
  }
  std::optional<Polynomial> start = extreme(Kind::Max, starts, around);
  std::optional<Polynomial> end = extreme(Kind::Min, ends, around);
  if (!start || !end)
    return std::nullopt;
  const Polynomial iterations = *end - *start;
  over.accesses = accesses.sum(iteration, *start, *end);
  if (isNeverNegative(iterations, around))
    return over;
  if (hasCounter(iterations)) {
    over.guards.push_back(iterations);
    return over;
  }
  std::optional<Polynomial> clamp = clamped(iterations);
  if (!clamp)
    return std::nullopt;
  over.accesses =
      inClampAlone(accesses.sum(iteration, *start, *start + *clamp), *clamp, iterations);
  return over;
}

std::optional<CountedParts>
ClosedForm::overLoop(const CountedParts &body, const CounterRange &range, bool postTest,
                     llvm::ArrayRef<std::optional<CounterRange>> around) {
  std::optional<CountedParts> total = CountedParts();
  for (const CountedPart &part : body) {
    std::optional<CountedPart> over = overPart(part, range, postTest, around);
    if (over)
      total = joined(*total, {*over});
    if (!over || !total)
      return std::nullopt;
  }
  return total;
}

/// n * max(n-1, 0) is n * (n-1): where they could differ, at n = 0, they do not.
Polynomial ClosedForm::withoutClamps(Polynomial total) const {
  static constexpr int64_t MaxTried = 8;
  for (const auto &[clamp, p] : clamps_) {
    if (llvm::is_contained(where_, p)) {
      total = total.substitute(clamp, p);
      continue;
    }
    const std::vector<std::string> names = p.names();
    if (total.degree(clamp) == 0 || names.size() != 1 || !isSize(names.front()))
      continue;
    const std::optional<Rational> below =
        (Polynomial::name(names.front()) - p).asConstant(); // n - (n - 1)
    if (!below || !below->isInteger() || below->num > MaxTried)
      continue;
    bool isSame = true;
    for (int64_t size = 0; size < below->num; ++size) {
      const Polynomial here = total.substitute(names.front(), Polynomial(size));
      isSame = isSame && here.substitute(clamp, Polynomial()) ==
                             here.substitute(clamp, Polynomial(size - below->num));
    }
    if (isSame)
      total = total.substitute(clamp, p);
  }
  return total;
}

SizeExpr ClosedForm::formula(const CountedParts &parts) const {
  Polynomial total;
  for (const CountedPart &part : parts)
    if (part.guards.empty())
      total = total + part.accesses;
    else
      return {};
  return affine_.size(withoutClamps(total));
}

} // namespace colonnade

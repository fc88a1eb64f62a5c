//===- Polynomial.cpp - Exact polynomials over named sizes --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Polynomial.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace colonnade {

namespace {
constexpr unsigned MaxDegree = 12;
constexpr size_t MaxTerms = 400;

unsigned totalDegree(const Polynomial::Monomial &monomial) {
  unsigned degree = 0;
  for (const auto &[name, power] : monomial)
    degree += power;
  return degree;
}

Polynomial::Monomial multiply(const Polynomial::Monomial &a, const Polynomial::Monomial &b) {
  Polynomial::Monomial product = a;
  for (const auto &[name, power] : b) {
    auto it =
        std::lower_bound(product.begin(), product.end(), name,
                         [](const auto &entry, const auto &key) { return entry.first < key; });
    if (it != product.end() && it->first == name)
      it->second += power;
    else
      product.insert(it, {name, power});
  }
  return product;
}
} // namespace

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Polynomial Polynomial::invalid() {
  Polynomial p;
  p.valid_ = false;
  return p;
}

Polynomial::Polynomial(Rational constant) {
  add({}, constant);
  check();
}

Polynomial Polynomial::name(const std::string &name) {
  Polynomial p;
  p.add({{name, 1}}, 1);
  return p;
}

void Polynomial::add(const Monomial &monomial, Rational coefficient) {
  Rational &slot = terms_[monomial];
  slot = slot + coefficient;
  if (!slot.valid())
    valid_ = false;
  else if (slot.num == 0)
    terms_.erase(monomial);
}

void Polynomial::check() {
  valid_ &= terms_.size() <= MaxTerms;
  for (const auto &[monomial, coefficient] : terms_)
    valid_ &= coefficient.valid() && totalDegree(monomial) <= MaxDegree;
  if (!valid_)
    terms_.clear();
}

std::optional<Rational> Polynomial::asConstant() const {
  if (!valid_ || terms_.size() > 1)
    return std::nullopt;
  if (terms_.empty())
    return Rational(0);
  return terms_.begin()->first.empty() ? std::optional(terms_.begin()->second) : std::nullopt;
}

std::vector<std::string> Polynomial::names() const {
  std::vector<std::string> names;
  for (const auto &[monomial, coefficient] : terms_)
    for (const auto &[name, power] : monomial)
      names.push_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

unsigned Polynomial::degree(const std::string &name) const {
  unsigned degree = 0;
  for (const auto &[monomial, coefficient] : terms_)
    for (const auto &[factor, power] : monomial)
      if (factor == name)
        degree = std::max(degree, power);
  return degree;
}

std::vector<Polynomial> Polynomial::coefficients(const std::string &name) const {
  std::vector<Polynomial> parts(degree(name) + 1, valid_ ? Polynomial() : invalid());
  for (const auto &[monomial, coefficient] : terms_) {
    Monomial rest = monomial;
    auto it = std::find_if(rest.begin(), rest.end(), [&](auto &f) { return f.first == name; });
    unsigned power = it == rest.end() ? 0 : it->second;
    if (power)
      rest.erase(it);
    parts[power].add(rest, coefficient);
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Polynomial operator+(const Polynomial &a, const Polynomial &b) {
  Polynomial sum = a;
  sum.valid_ &= b.valid_;
  for (const auto &[monomial, coefficient] : b.terms_)
    sum.add(monomial, coefficient);
  sum.check();
  return sum;
}

Polynomial operator-(const Polynomial &a, const Polynomial &b) {
  Polynomial difference = a;
  difference.valid_ &= b.valid_;
  for (const auto &[monomial, coefficient] : b.terms_)
    difference.add(monomial, Rational(0) - coefficient);
  difference.check();
  return difference;
}

Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial product;
  product.valid_ = a.valid_ && b.valid_;
  for (const auto &[left, x] : a.terms_)
    for (const auto &[right, y] : b.terms_)
      product.add(multiply(left, right), x * y);
  product.check();
  return product;
}

Polynomial Polynomial::substitute(const std::string &name, const Polynomial &by) const {
  Polynomial result = valid_ ? Polynomial() : invalid();
  std::vector<Polynomial> parts = coefficients(name);
  for (auto it = parts.rbegin(); it != parts.rend(); ++it) // Horner
    result = result * by + *it;
  return result;
}

// With S_k(x) = sum of j^k over j < x: sum over j <= k of C(k+1, j) S_j(x) is
// x^(k+1), which gives S_k from the lower ones.
Polynomial Polynomial::powerSum(unsigned power, const Polynomial &x) {
  std::vector<Polynomial> sums;
  Polynomial xPower = x;
  for (unsigned k = 0; k <= power; ++k) {
    Polynomial rest = xPower;
    Rational binomial = 1; // C(k+1, j)
    for (unsigned j = 0; j < k; ++j) {
      rest = rest - Polynomial(binomial) * sums[j];
      binomial = binomial * Rational(k + 1 - j, j + 1);
    }
    sums.push_back(rest * Polynomial(Rational(1, k + 1)));
    xPower = xPower * x;
  }
  return sums.back();
}

Polynomial Polynomial::sum(const std::string &name, const Polynomial &lo,
                           const Polynomial &hi) const {
  assert(lo.degree(name) == 0 && hi.degree(name) == 0 && "the bounds depend on the counter");
  Polynomial total = valid_ ? Polynomial() : invalid();
  std::vector<Polynomial> parts = coefficients(name);
  for (unsigned power = 0; power < parts.size(); ++power)
    if (!parts[power].isZero())
      total = total + parts[power] * (powerSum(power, hi) - powerSum(power, lo));
  return total;
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

std::optional<int> Polynomial::compare(const Polynomial &a, const Polynomial &b) {
  auto difference = (a - b).asConstant();
  if (!difference)
    return std::nullopt;
  return (difference->num > 0) - (difference->num < 0);
}

bool Polynomial::isNonNegative(int64_t minimum) const {
  Polynomial shifted = *this;
  for (const std::string &n : names())
    shifted = shifted.substitute(n, name(n) + Polynomial(minimum));
  return shifted.valid_ && std::all_of(shifted.terms_.begin(), shifted.terms_.end(),
                                       [](const auto &term) { return term.second.num >= 0; });
}

// A polynomial of degree d in a name is integer-valued if it is at d+1
// consecutive points (finite differences); for several names, on their grid.
bool Polynomial::isIntegerValued() const {
  if (!valid_)
    return false;
  if (std::all_of(terms_.begin(), terms_.end(),
                  [](const auto &term) { return term.second.isInteger(); }))
    return true;
  std::vector<std::string> all = names();
  std::map<std::string, int64_t> point;
  size_t numPoints = 1;
  for (const std::string &n : all) {
    point[n] = 0;
    numPoints *= degree(n) + 1;
    if (numPoints > 10000)
      return false; // not shown
  }
  for (size_t i = 0; i < numPoints; ++i) {
    size_t rest = i;
    for (const std::string &n : all) {
      point[n] = static_cast<int64_t>(rest % (degree(n) + 1));
      rest /= degree(n) + 1;
    }
    auto value = evaluate(point);
    if (!value || !value->isInteger())
      return false;
  }
  return true;
}

std::optional<Rational> Polynomial::evaluate(const std::map<std::string, int64_t> &names) const {
  if (!valid_)
    return std::nullopt;
  Rational total = 0;
  for (const auto &[monomial, coefficient] : terms_) {
    Rational product = coefficient;
    for (const auto &[name, power] : monomial) {
      auto it = names.find(name);
      if (it == names.end())
        return std::nullopt;
      for (unsigned k = 0; k < power; ++k)
        product = product * Rational(it->second);
    }
    total = total + product;
  }
  return total.valid() ? std::optional(total) : std::nullopt;
}

} // namespace colonnade

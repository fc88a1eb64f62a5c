//===- PolynomialText.cpp - Polynomials from and to symbolic sizes ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Polynomial.h"

#include <algorithm>
#include <numeric>

namespace colonnade {

using Kind = SizeExpr::Kind;

std::optional<Polynomial> Polynomial::from(const SizeExpr &e) {
  switch (e.kind()) {
  case Kind::Unknown:
  case Kind::Max:
  case Kind::Min:
  case Kind::Rem:
    return std::nullopt;
  case Kind::Constant:
    return Polynomial(*e.asConstant());
  case Kind::Name:
    return name(e.name());
  default:
    break;
  }
  auto a = from(e.lhs()), b = from(e.rhs());
  if (!a || !b)
    return std::nullopt;
  Polynomial result;
  if (e.kind() == Kind::Add)
    result = *a + *b;
  else if (e.kind() == Kind::Sub)
    result = *a - *b;
  else if (e.kind() == Kind::Mul)
    result = *a * *b;
  else {
    auto divisor = b->asConstant();
    if (!divisor || divisor->num == 0)
      return std::nullopt;
    result = *a * Polynomial(Rational(1) / *divisor);
    if (!result.isIntegerValued())
      return std::nullopt;
  }
  return result.valid() ? std::optional(result) : std::nullopt;
}

namespace {

using Monomial = Polynomial::Monomial;

/// coefficient * monomial with a positive coefficient; 1 is left out.
SizeExpr product(int64_t coefficient, const Monomial &monomial) {
  SizeExpr result = SizeExpr::constant(coefficient);
  for (const auto &[name, power] : monomial)
    for (unsigned k = 0; k < power; ++k)
      result = result * SizeExpr::name(name);
  return result;
}

unsigned powerIn(const Monomial &monomial, const std::string &name) {
  for (const auto &[factor, power] : monomial)
    if (factor == name)
      return power;
  return 0;
}

/// Highest degree first, then by name: n*n+n*m+m+1.
bool comesBefore(const Monomial &a, const Monomial &b) {
  auto degree = [](const Monomial &m) {
    return std::accumulate(m.begin(), m.end(), 0u,
                           [](unsigned d, auto &f) { return d + f.second; });
  };
  return degree(a) != degree(b) ? degree(a) > degree(b) : a < b;
}

/// The terms over a common denominator, with what all have in common taken out:
/// content * common * (terms) / denominator.
class Layout {
public:
  explicit Layout(const Polynomial &p) {
    for (const auto &[monomial, coefficient] : p.terms()) {
      Rational scaled = coefficient * Rational(denominator);
      fits &= scaled.valid() && !__builtin_mul_overflow(denominator, scaled.den, &denominator);
    }
    for (const auto &[monomial, coefficient] : p.terms()) {
      Rational scaled = coefficient * Rational(denominator);
      fits &= scaled.valid() && scaled.num != INT64_MIN;
      terms.emplace_back(monomial, scaled.num);
    }
    if (!fits)
      return;
    std::sort(terms.begin(), terms.end(),
              [](auto &a, auto &b) { return comesBefore(a.first, b.first); });
    if (terms.size() > 1)
      takeOutCommonFactors();
  }

  SizeExpr expression() const {
    if (!fits)
      return {};
    SizeExpr sum = signedTerms();
    SizeExpr result = terms.size() == 1 ? sum : product(content, common) * sum;
    return SizeExpr::binary(Kind::Div, result, SizeExpr::constant(denominator));
  }

private:
  void takeOutCommonFactors() {
    for (const auto &[name, power] : terms[0].first) {
      unsigned least = power;
      for (const auto &[monomial, coefficient] : terms)
        least = std::min(least, powerIn(monomial, name));
      if (least)
        common.emplace_back(name, least);
    }
    if (common.empty())
      return; // 2*n+2 stays as it is
    content = 0;
    for (const auto &[monomial, coefficient] : terms)
      content = std::gcd(content, coefficient);
    for (auto &[monomial, coefficient] : terms) {
      coefficient /= content;
      for (const auto &[name, least] : common)
        for (auto &[factor, power] : monomial)
          power -= factor == name ? least : 0;
    }
  }

  /// Positive terms first, so that no minus leads unless all are negative.
  SizeExpr signedTerms() const {
    SizeExpr sum;
    for (bool negative : {false, true})
      for (const auto &[monomial, coefficient] : terms) {
        if ((coefficient < 0) != negative)
          continue;
        SizeExpr term = product(negative ? -coefficient : coefficient, monomial);
        if (!sum.known())
          sum = negative ? SizeExpr::constant(0) - term : term;
        else
          sum = negative ? sum - term : sum + term;
      }
    return sum.known() ? sum : SizeExpr::constant(0);
  }

  std::vector<std::pair<Monomial, int64_t>> terms;
  Monomial common;
  int64_t content = 1;
  int64_t denominator = 1;
  bool fits = true; // in 64 bits
};

} // namespace

SizeExpr Polynomial::toSizeExpr() const {
  if (!isIntegerValued())
    return {};
  return Layout(*this).expression();
}

} // namespace colonnade

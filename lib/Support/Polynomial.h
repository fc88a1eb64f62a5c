//===- Polynomial.h - Exact polynomials over named sizes --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts of accesses and extents in closed form: multivariate polynomials with
// rational coefficients.
//
// In: names, numbers, sizes and other polynomials. Out: sums, products, substitutions
// and sums over a range, or a SizeExpr.
// Invariant: every result is exact or invalid; what overflows or grows beyond a
// bound (degree 12, 400 terms) becomes invalid and stays so.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_POLYNOMIAL_H
#define COLONNADE_SUPPORT_POLYNOMIAL_H

#include "Support/SizeExpr.h"

namespace colonnade {

/// A reduced fraction; den > 0. den == 0 marks an overflow.
struct Rational {
  int64_t num = 0;
  int64_t den = 1;

  Rational(int64_t num = 0, int64_t den = 1);
  bool valid() const { return den != 0; }
  bool isInteger() const { return den == 1; }
  friend Rational operator+(Rational a, Rational b);
  friend Rational operator-(Rational a, Rational b);
  friend Rational operator*(Rational a, Rational b);
  friend Rational operator/(Rational a, Rational b);
  friend bool operator==(Rational, Rational) = default;
};

class Polynomial {
public:
  /// Powers of names, sorted by name: n*n*m is {{"m",1},{"n",2}}.
  using Monomial = std::vector<std::pair<std::string, unsigned>>;

  Polynomial() = default; // 0
  Polynomial(Rational constant);
  Polynomial(int64_t constant) : Polynomial(Rational(constant)) {}
  static Polynomial name(const std::string &name);
  /// nullopt if `e` is not a polynomial: unknown, max, min, %, or a division
  /// that may leave a remainder. n*(n-1)/2 is one.
  static std::optional<Polynomial> from(const SizeExpr &e);

  bool valid() const { return valid_; }
  bool isZero() const { return valid_ && terms_.empty(); }
  std::optional<Rational> asConstant() const;
  const std::map<Monomial, Rational> &terms() const { return terms_; }
  std::vector<std::string> names() const;
  unsigned degree(const std::string &name) const;
  /// The polynomial as c[0] + c[1]*name + c[2]*name*name + …
  std::vector<Polynomial> coefficients(const std::string &name) const;

  friend Polynomial operator+(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator-(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator*(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator-(const Polynomial &a) { return Polynomial() - a; }
  friend bool operator==(const Polynomial &, const Polynomial &) = default;

  Polynomial substitute(const std::string &name, const Polynomial &by) const;
  /// Sum over name = lo … hi-1, by Faulhaber's formula; `name` must not occur in
  /// the bounds. Right where lo <= hi (lo == hi gives 0).
  Polynomial sum(const std::string &name, const Polynomial &lo, const Polynomial &hi) const;

  /// Sign of a - b, if the difference is a constant.
  static std::optional<int> compare(const Polynomial &a, const Polynomial &b);
  /// Shown >= 0 for all values >= `minimum` of all names (sufficient only).
  bool isNonNegative(int64_t minimum) const;
  /// An integer at every integer point.
  bool isIntegerValued() const;

  std::optional<Rational> evaluate(const std::map<std::string, int64_t> &names) const;
  /// n*(n-1)/2, 2*n+1; Unknown if invalid or not integer-valued.
  SizeExpr toSizeExpr() const;

private:
  static Polynomial invalid();
  void add(const Monomial &monomial, Rational coefficient);
  void check();
  /// sum of j^power over j = 0 … x-1, in x.
  static Polynomial powerSum(unsigned power, const Polynomial &x);

  std::map<Monomial, Rational> terms_; // no zero coefficients
  bool valid_ = true;
};

} // namespace colonnade

#endif // COLONNADE_SUPPORT_POLYNOMIAL_H

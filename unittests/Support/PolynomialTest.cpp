//===- PolynomialTest.cpp - Exact polynomials ---------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Polynomial.h"

#include "gtest/gtest.h"

#include <iostream>
#include <random>

using namespace colonnade;

namespace {

Polynomial poly(const std::string &text) {
  std::string error;
  auto e = SizeExpr::parse(text, error);
  EXPECT_TRUE(e) << error;
  auto p = Polynomial::from(*e);
  EXPECT_TRUE(p) << text;
  return p.value_or(Polynomial());
}

bool isPolynomial(const std::string &text) {
  std::string error;
  return Polynomial::from(*SizeExpr::parse(text, error)).has_value();
}

std::string str(const Polynomial &p) { return p.toSizeExpr().str(); }

TEST(Polynomial, Prints) {
  EXPECT_EQ(str(poly("n*(n-1)/2")), "n*(n-1)/2");
  EXPECT_EQ(str(poly("2*n+1+n")), "3*n+1");
  EXPECT_EQ(str(poly("(n+1)*(n-1)")), "n*n-1");
  EXPECT_EQ(str(poly("3*n*n-3*n")), "3*n*(n-1)");
  EXPECT_EQ(str(poly("2*n+2")), "2*n+2");
  EXPECT_EQ(str(poly("1-n")), "1-n");
  EXPECT_EQ(str(poly("-n-n*m")), "n*(-m-1)");
  EXPECT_EQ(str(poly("n-n")), "0");
  EXPECT_EQ(str(poly("7")), "7");
  EXPECT_EQ(str(poly("n*n*m")), "m*n*n");
}

TEST(Polynomial, DivisionMustBeExact) {
  EXPECT_TRUE(isPolynomial("n*(n+1)/2"));
  EXPECT_TRUE(isPolynomial("n*(n+1)*(n+2)/6"));
  EXPECT_TRUE(isPolynomial("(4*n+6)/2"));
  EXPECT_FALSE(isPolynomial("n/2"));
  EXPECT_FALSE(isPolynomial("n*n/2"));
  EXPECT_FALSE(isPolynomial("n/m"));
  EXPECT_FALSE(isPolynomial("n/0"));
  EXPECT_FALSE(isPolynomial("max(n, m)"));
  EXPECT_FALSE(isPolynomial("n%2"));
}

TEST(Polynomial, SumsInClosedForm) {
  Polynomial one(1), i = Polynomial::name("i"), n = Polynomial::name("n");
  EXPECT_EQ(str(one.sum("i", 1, n)), "n-1");
  EXPECT_EQ(str(i.sum("i", 0, n)), "n*(n-1)/2");
  EXPECT_EQ(str((i * i).sum("i", 0, n)), "n*(2*n*n+1-3*n)/6");
  // for i < n, for j = i+1 … n-1: 3 accesses
  EXPECT_EQ(str(Polynomial(3).sum("j", i + 1, n).sum("i", 0, n)), "3*n*(n-1)/2");
}

TEST(Polynomial, Compares) {
  EXPECT_EQ(Polynomial::compare(poly("n+1"), poly("n")), 1);
  EXPECT_EQ(Polynomial::compare(poly("n*n"), poly("n*n")), 0);
  EXPECT_EQ(Polynomial::compare(poly("n-3"), poly("n")), -1);
  EXPECT_EQ(Polynomial::compare(poly("2*n"), poly("n")), std::nullopt);
  EXPECT_TRUE(poly("n*n-n").isNonNegative(1));
  EXPECT_TRUE(poly("n-1").isNonNegative(1));
  EXPECT_FALSE(poly("n-2").isNonNegative(1));
  EXPECT_FALSE(poly("n-m").isNonNegative(0));
}

TEST(Polynomial, OverflowIsInvalidNotWrong) {
  Polynomial big(INT64_MAX);
  EXPECT_FALSE((big + 1).valid());
  EXPECT_FALSE((big * big).valid());
  EXPECT_FALSE(((big + 1) - big).valid());
  EXPECT_FALSE((big + 1).toSizeExpr().known());
  EXPECT_FALSE((Polynomial(INT64_MIN)).toSizeExpr().known());
  Polynomial n = Polynomial::name("n"), power = 1;
  for (int k = 0; k < 20; ++k)
    power = power * n;
  EXPECT_FALSE(power.valid());
  Polynomial half = poly("n*(n+1)/2");
  EXPECT_FALSE((half + big).toSizeExpr().known()); // 2 * INT64_MAX over 2
  EXPECT_EQ(big.asConstant(), Rational(INT64_MAX));
}

Polynomial randomPolynomial(std::mt19937 &random) {
  Polynomial p;
  for (unsigned terms = random() % 4 + 1; terms; --terms) {
    Polynomial term(int64_t(random() % 9) - 4);
    for (unsigned factors = random() % 4; factors; --factors)
      term = term * Polynomial::name(std::string(1, "imn"[random() % 3]));
    p = p + term;
  }
  return p;
}

TEST(Polynomial, AgreesWithDirectEvaluation) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int iteration = 0; iteration < 1000; ++iteration) {
    Polynomial p = randomPolynomial(random), q = randomPolynomial(random);
    std::map<std::string, int64_t> at = {{"m", int64_t(random() % 9) - 4},
                                         {"n", int64_t(random() % 9) - 4},
                                         {"i", int64_t(random() % 9) - 4}};
    Rational x = *p.evaluate(at), y = *q.evaluate(at);
    EXPECT_EQ((p + q).evaluate(at), x + y);
    EXPECT_EQ((p - q).evaluate(at), x - y);
    EXPECT_EQ((p * q).evaluate(at), x * y);
    EXPECT_EQ(p.toSizeExpr().evaluate(at), x.num) << str(p);
    EXPECT_EQ(poly(str(p)), p);

    int64_t lo = int64_t(random() % 7) - 3, hi = lo + int64_t(random() % 6);
    Rational direct = 0;
    for (int64_t i = lo; i < hi; ++i) {
      at["i"] = i;
      direct = direct + *p.evaluate(at);
    }
    Polynomial sum = p.sum("i", lo, hi);
    EXPECT_EQ(sum.evaluate(at), direct) << str(p);
    Polynomial by = q.substitute("i", 2);
    at["i"] = by.evaluate(at)->num;
    EXPECT_EQ(p.substitute("i", by).evaluate(at), p.evaluate(at));
  }
}

} // namespace

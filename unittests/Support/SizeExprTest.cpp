//===- SizeExprTest.cpp - Symbolic sizes --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/SizeExpr.h"

#include "gtest/gtest.h"

#include <random>

using namespace colonnade;
using Kind = SizeExpr::Kind;

namespace {

SizeExpr parse(const std::string &text) {
  std::string error;
  auto e = SizeExpr::parse(text, error);
  EXPECT_TRUE(e) << text << ": " << error;
  return e.value_or(SizeExpr());
}

std::string errorOf(const std::string &text) {
  std::string error;
  EXPECT_FALSE(SizeExpr::parse(text, error)) << text;
  return error;
}

TEST(SizeExpr, PrintsWithMinimalBrackets) {
  for (std::string text : {"n", "n*n", "n*(n+1)/2", "n-(m-1)", "n/(m/2)", "max(a, b)", "-n", "n*-m",
                           "-(n*m)", "n-m-1", "n%4", "(n+m)*2", "s.n+1", "ns::N", "?"})
    EXPECT_EQ(parse(text).str(), text == "n*-m" ? "n*(-m)" : text);
}

TEST(SizeExpr, Folds) {
  EXPECT_EQ(parse("2*3+4").str(), "10");
  EXPECT_EQ(parse("0+n").str(), "n");
  EXPECT_EQ(parse("n*1").str(), "n");
  EXPECT_EQ(parse("n*0").str(), "0");
  EXPECT_EQ(parse("(n+1)-1").str(), "n");
  EXPECT_EQ(parse("(n-3)+1").str(), "n-2");
  EXPECT_EQ(parse("n-n").str(), "0");
  EXPECT_EQ(parse("n+-2").str(), "n-2");
  EXPECT_EQ(parse("7/2").str(), "3");
  EXPECT_EQ(parse("-7%4").str(), "-3");
  EXPECT_EQ(parse("s->n").str(), "s.n");
  EXPECT_EQ(parse("0x10+010+0b11u").str(), "27");
  // Not folded: the value would not fit.
  EXPECT_EQ(parse("9223372036854775807+1").str(), "9223372036854775807+1");
}

TEST(SizeExpr, Evaluates) {
  std::map<std::string, int64_t> names = {{"n", 5}, {"m", -7}, {"big", INT64_MAX}};
  EXPECT_EQ(parse("n*(n-1)/2").evaluate(names), 10);
  EXPECT_EQ(parse("m/2").evaluate(names), -3);
  EXPECT_EQ(parse("max(n, m)+min(n, m)").evaluate(names), -2);
  EXPECT_EQ(parse("k").evaluate(names), std::nullopt);
  EXPECT_EQ(parse("n/(n-5)").evaluate(names), std::nullopt);
  EXPECT_EQ(parse("big+n").evaluate(names), std::nullopt);
  EXPECT_EQ(SizeExpr().evaluate(names), std::nullopt);
  EXPECT_EQ(parse("-9223372036854775808").evaluate(names), INT64_MIN);
}

TEST(SizeExpr, NamesAndSubstitute) {
  SizeExpr e = parse("n*m+n");
  EXPECT_EQ(e.names(), (std::vector<std::string>{"n", "m"}));
  EXPECT_EQ(e.substitute({{"n", SizeExpr::constant(2)}}).str(), "2*m+2");
  EXPECT_FALSE(e.substitute({{"n", SizeExpr()}}).known());
  EXPECT_EQ(parse("n+1"), parse("n + 1"));
  EXPECT_FALSE(parse("n+1") == parse("1+n"));
}

TEST(SizeExpr, ErrorsNameTheColumn) {
  EXPECT_EQ(errorOf("n+*2"), "in size 'n+*2', column 3: expected a number, a name or '('");
  EXPECT_EQ(errorOf("(n"), "in size '(n', column 3: expected ')'");
  EXPECT_EQ(errorOf("f(n)"),
            "in size 'f(n)', column 2: only 'max' and 'min' can be called, not 'f'");
  EXPECT_EQ(errorOf("2.5"), "in size '2.5', column 2: expected an integer");
  errorOf("");
  errorOf("n n");
  errorOf("0x");
  errorOf("99999999999999999999");
  errorOf("n<<1");
  errorOf(std::string(10000, '('));
  EXPECT_EQ(parse(std::string(10000, '-') + "n").str(), "n");
}

SizeExpr randomExpr(std::mt19937 &random, int depth) {
  if (depth == 0 || random() % 4 == 0)
    return random() % 2 ? SizeExpr::constant(int64_t(random() % 9) - 4)
                        : SizeExpr::name(std::string(1, char('a' + random() % 3)));
  auto kind = static_cast<Kind>(int(Kind::Add) + random() % 7);
  return SizeExpr::binary(kind, randomExpr(random, depth - 1), randomExpr(random, depth - 1));
}

TEST(SizeExpr, RandomRoundTrip) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 2000; ++i) {
    SizeExpr e = randomExpr(random, 5);
    SizeExpr again = parse(e.str());
    EXPECT_EQ(again.str(), e.str());
    std::map<std::string, int64_t> names;
    for (char c : {'a', 'b', 'c'})
      names[std::string(1, c)] = int64_t(random() % 21) - 10;
    EXPECT_EQ(again.evaluate(names), e.evaluate(names)) << e.str();
  }
}

TEST(SizeExpr, MutatedTextNeverCrashes) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string alphabet = "n*+-/%(),max0123456789x.>: ";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned k = random() % 24; k; --k)
      text += alphabet[random() % alphabet.size()];
    std::string error;
    auto e = SizeExpr::parse(text, error);
    EXPECT_EQ(!e, !error.empty()) << text;
  }
}

} // namespace

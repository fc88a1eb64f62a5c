//===- BoundedLoopsTest.cpp - Profiles of what is not walked ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClosedLoops.h"

#include "IRText.h"
#include "RandomNest.h"

#include <cmath>

using namespace colonnade;
using namespace colonnade::model;

namespace {

Interval boundsOfSite(const AccessProfile &profile, OpId op) {
  Interval sum;
  for (const Site &site : profile.sites)
    if (site.op == op) {
      sum.low += site.isConditional ? 0 : site.total();
      sum.high += site.total();
    }
  return sum;
}

/// No loop is walked here, and what the walk finds lies between the bounds.
TEST(BoundedLoops, HoldWhatTheWalkFinds) {
  unsigned found = 0, exact = 0, open = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const RandomNest nest(seed);
    const ir::Module module = ir::parsed(nest.text());
    std::vector<ir::ArrayData> arrays(2);
    arrays[1].cells = {0, 3, 1, 4, 2};
    WalkLimits limits;
    limits.walked = 0;
    limits.parts = 1 + seed % 3;
    for (int64_t n : {0, 3, 8, 12}) {
      auto walked = walk(module, module.functions[0], arrays, scalarsOf(n), 8);
      auto bounds = boundsOf(module.functions[0], arrays, scalarsOf(n), 8, limits);
      if (!walked || !bounds) {
        llvm::consumeError(walked.takeError());
        continue;
      }
      ++found;
      for (const Site &site : walked->sites) {
        const Interval between = boundsOfSite(*bounds, site.op),
                       made = boundsOfSite(*walked, site.op);
        ASSERT_LE(between.low, made.low) << "n = " << n << ", seed " << seed << nest.text();
        ASSERT_GE(between.high, made.high) << "n = " << n << ", seed " << seed << nest.text();
        ++(between.isExact() ? exact : open);
      }
    }
  }
  EXPECT_GT(found, 1500u);
  EXPECT_GT(exact, 1000u);
  EXPECT_GT(open, 300u);
}

const char *const Squares = R"(%4 = const 1000003 : s64
  for %i#5 : s64 = %zero#2 lt %n#0 step %one#3 () {
    %6 = mul %i#5, %i#5 : s64
    %7 = rem %6, %4 : s64
    %8 = load @b[%7] access 0 : f32
    yield
  } -> %9 : s64
)";

/// Bounds of `body` in a function of n.
std::optional<AccessProfile> boundsIn(const std::string &body, int64_t n, WalkLimits limits = {}) {
  const ir::Module module = ir::parsed("func \"f\" canonical mangled \"f\" {\n"
                                       "array @b : f32[n] parameter instance reads of b\n"
                                       "body(%n#0 : s64) scalar %n#0 n {\n"
                                       "%zero#2 = const 0 : s64\n%one#3 = const 1 : s64\n" +
                                       body + "return\n}\n}\n");
  return boundsOf(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(n), 32, limits);
}

/// A loop that may be walked, as it is short, is bounded where its inner ones take too long.
TEST(BoundedLoops, FewerAreWalkedWhereThatTakesTooLong) {
  const std::string nest = R"(%4 = const 1000003 : s64
  for %i#5 : s64 = %zero#2 lt %n#0 step %one#3 () {
    for %j#6 : s64 = %zero#2 lt %n#0 step %one#3 () {
      for %k#7 : s64 = %zero#2 lt %n#0 step %one#3 () {
        %8 = mul %j#6, %k#7 : s64
        %9 = rem %8, %4 : s64
        %10 = load @b[%9] access 0 : f32
        yield
      } -> %11 : s64
      yield
    } -> %12 : s64
    yield
  } -> %13 : s64
)";
  WalkLimits limits;
  limits.operations = 50'000;
  constexpr uint64_t N = 400;
  auto bounds = boundsIn(nest, N, limits);
  ASSERT_TRUE(bounds);
  EXPECT_TRUE(bounds->isBounds);
  EXPECT_EQ(bounds->total(), N * N * N);
}

/// x = x * 5 + 3 chooses the branch, so nothing is closed: `for (i = 0; i < n; i++)`, or while x is
/// not n.
std::string chosen(bool isCounted) {
  const std::string begin =
      isCounted ? "for %i#9 : s64 = %zero#2 lt %n#0 step %one#3 (%x#10 : s64 = %one#3) {\n"
                : "loop (%w#30 : s64 = %one#3) {\n%31 = ne %w#30, %n#0 : bool\n"
                  "test %31, %w#30\n} do (%x#10 : s64) {\n";
  return "%4 = const 5 : s64\n%5 = const 3 : s64\n%6 = const 1000003 : s64\n" + begin +
         R"(%11 = mul %x#10, %4 : s64
    %12 = add %11, %5 : s64
    %13 = rem %12, %6 : s64
    %14 = rem %13, %5 : s64
    %15 = eq %14, %zero#2 : bool
    if %15 {
      %16 = load @b[%14] access 0 : f32
      yield
    } else {
      yield
    }
)" +
         (isCounted ? "yield %13\n} -> %17 : s64, %18 : s64\n"
                    : "%19 = const true : bool\nyield %19, %13\n} -> %17 : s64\n");
}

llvm::Expected<AccessProfile> profileOfChosen(bool isCounted, int64_t n, const WalkLimits &limits) {
  const ir::Module module = ir::parsed("func \"f\" canonical mangled \"f\" {\n"
                                       "array @b : f32[9] parameter instance reads of b\n"
                                       "body(%n#0 : s64) scalar %n#0 n {\n"
                                       "%zero#2 = const 0 : s64\n%one#3 = const 1 : s64\n" +
                                       chosen(isCounted) + "return\n}\n}\n");
  std::vector<ir::ArrayData> arrays(1);
  return model::profileOf(module, module.functions[0], arrays, scalarsOf(n), 32, limits);
}

/// So many iterations are walked, whatever operations they take; one more is not begun.
TEST(BoundedLoops, AreOfMoreIterationsThanAreWalked) {
  WalkLimits limits;
  limits.operations = 50'000; // a fifth of it where loops are walked, or 800 iterations
  limits.iterations = 5000;
  auto exact = profileOfChosen(true, 5000, limits);
  ASSERT_TRUE(bool(exact));
  EXPECT_FALSE(exact->isBounds);
  EXPECT_GT(exact->total(), 1000u);
  EXPECT_LT(exact->total(), 2500u);
  auto bounds = profileOfChosen(true, 5001, limits);
  ASSERT_TRUE(bool(bounds));
  EXPECT_TRUE(bounds->isBounds);
  limits.iterations.reset();
  auto sooner = profileOfChosen(true, 5000, limits);
  ASSERT_TRUE(bool(sooner));
  EXPECT_TRUE(sooner->isBounds);
}

/// Nothing bounds a loop that no counter ends.
TEST(BoundedLoops, WithoutACounterAreAnError) {
  WalkLimits limits;
  limits.iterations = 5000;
  auto found = profileOfChosen(false, 43, limits); // 1, 8, 43
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(found->total(), 0u);
  auto profile = profileOfChosen(false, -1, limits);
  EXPECT_EQ(
      llvm::toString(profile.takeError()),
      "one instance takes more than 5000 iterations of loops at these sizes: too many to walk "
      "one by one. Give smaller sizes, or compute the end of a loop before it");
}

/// Cells that are not linear: as many as iterations, wherever they are. Triangles: within 1 %.
TEST(BoundedLoops, AreTight) {
  const std::string triangles = R"(%4 = const 1000003 : s64
  for %i#5 : s64 = %zero#2 lt %n#0 step %one#3 () {
    for %j#6 : s64 = %zero#2 lt %i#5 step %one#3 () {
      %7 = mul %i#5, %j#6 : s64
      %8 = rem %7, %4 : s64
      %9 = load @b[%8] access 0 : f32
      yield
    } -> %10 : s64
    yield
  } -> %11 : s64
)";
  constexpr int64_t N = 2'000'000'000;
  auto once = boundsIn(Squares, N);
  ASSERT_TRUE(once);
  EXPECT_TRUE(once->isBounds);
  EXPECT_EQ(boundsOfSite(*once, once->sites[0].op), (Interval{uint64_t(N), uint64_t(N)}));
  auto half = boundsIn(triangles, N);
  ASSERT_TRUE(half);
  const Interval of = boundsOfSite(*half, half->sites[0].op);
  const double wanted = double(N) * double(N - 1) / 2;
  EXPECT_GT(double(of.low), 0.99 * wanted);
  EXPECT_LT(double(of.low), wanted);
  EXPECT_GT(double(of.high), wanted);
  EXPECT_LT(double(of.high), 1.01 * wanted);
}

/// A sieve: the step is a counter. Of n = 3,000 the walk says how many accesses lie between the
/// bounds; of 10^9 n (ln n + 0.5772).
const char *const Sieve = R"(%last#4 = sub %n#0, %one#3 : s64
  for %i#5 : s64 = %one#3 le %last#4 step %one#3 () {
    for %j#6 : s64 = %i#5 le %last#4 step %i#5 () {
      %7 = load @b[%j#6] access 0 : f32
      yield
    } -> %8 : s64
    yield
  } -> %9 : s64
)";

TEST(BoundedLoops, StepsMayBeCounters) {
  WalkLimits limits;
  limits.walked = 0;
  auto few = boundsIn(Sieve, 3'000, limits);
  ASSERT_TRUE(few);
  uint64_t made = 0;
  for (uint64_t i = 1; i < 3'000; ++i)
    made += 2'999 / i;
  const Interval ofFew = boundsOfSite(*few, few->sites[0].op);
  EXPECT_LE(ofFew.low, made);
  EXPECT_GE(ofFew.high, made);
  auto many = boundsIn(Sieve, 1'000'000'001);
  ASSERT_TRUE(many);
  const Interval ofMany = boundsOfSite(*many, many->sites[0].op);
  const double wanted = 1e9 * (std::log(1e9) + 0.5772);
  EXPECT_LE(double(ofMany.low), wanted);
  EXPECT_GT(double(ofMany.low), 0.85 * wanted);
  EXPECT_GE(double(ofMany.high), wanted);
  EXPECT_LT(double(ofMany.high), 1.15 * wanted);
}

/// Behind 1 the counter is 2^32 - 1, which is not below 1: the loop goes on.
TEST(BoundedLoops, DoNotWrap) {
  const std::string falls = R"(%4 = const 1 : u32
  %5 = const 4294967294 : u32
  for %i#6 : u32 = %4 ge %4 step %5 () {
    %7 = load @b[%zero#2] access 0 : f32
    yield
  } -> %8 : u32
)";
  WalkLimits limits;
  limits.walked = 0;
  EXPECT_FALSE(boundsIn(falls, 9, limits));
  std::string byOne = falls;
  byOne.replace(byOne.find("4294967294"), 10, "4294967295");
  auto once = boundsIn(byOne, 9, limits);
  ASSERT_TRUE(once);
  EXPECT_EQ(once->total(), 1u);
}

/// The outer one runs once, as it is tested at its end; it is walked, as its direction gives no
/// count, although nothing may be.
TEST(BoundedLoops, MayBeInOneWithoutACount) {
  WalkLimits limits;
  limits.walked = 0;
  auto bounds = boundsIn("for %q#20 : s64 = %zero#2 gt %n#0 step %one#3 posttest () {\n" +
                             std::string(Squares) + "yield\n} -> %21 : s64\n",
                         1000, limits);
  ASSERT_TRUE(bounds);
  EXPECT_EQ(boundsOfSite(*bounds, bounds->sites[0].op), (Interval{1000, 1000}));
}

} // namespace

//===- ClosedLoopsTest.cpp - Profiles without walking ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClosedLoops.h"

#include "IRText.h"
#include "Model/Residues.h"

#include <chrono>
#include <random>

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// A nest of loops over an array @b of 100,000 cells, and a table that decides.
class RandomNest {
public:
  explicit RandomNest(unsigned seed) : random_(seed) {
    text_ = "func \"f\" canonical mangled \"f\" {\n"
            "  array @b : f32[100000] parameter instance reads writes of b\n"
            "  array @t : s64[5] parameter uniform reads of t\n"
            "  body(%n#0 : s64) scalar %n#0 n {\n";
    counters_ = {"%n#0"};
    nest(1 + draw(4));
    if (draw(3) == 0)
      nest(1);
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string fresh() { return "%" + std::to_string(++last_); }
  std::string define(const std::string &operation) {
    const std::string name = fresh();
    text_ += name + " = " + operation + " : s64\n";
    return name;
  }
  std::string number(int64_t value) { return define("const " + std::to_string(value)); }
  std::string any() { return counters_[draw(static_cast<unsigned>(counters_.size()))]; }

  /// Of the counters so far; what is in the loop may use it like one.
  void hoisted() {
    static const char *const Operations[] = {"mul", "sub", "add", "rem", "and", "xor"};
    const unsigned operation = draw(6);
    const std::string a = any(), b = draw(2) ? any() : number(1 + int64_t(draw(4)));
    counters_.push_back(operation == 3
                            ? define("rem " + a + ", " + number(1 + int64_t(draw(5))))
                            : define(std::string(Operations[operation]) + " " + a + ", " + b));
  }

  std::string bound() {
    switch (draw(4)) {
    case 0:
      return number(draw(6));
    case 1:
      return define("add " + any() + ", " + number(int64_t(draw(5)) - 2));
    default:
      return any();
    }
  }

  /// Mostly linear in the counters.
  std::string address() {
    std::string sum = number(50'000);
    for (const std::string &counter : counters_)
      if (draw(2))
        sum = define("add " + sum + ", " +
                     define("mul " + counter + ", " + number(int64_t(draw(9)) - 4)));
    switch (draw(10)) {
    case 8:
    case 9:
      return define("add " + sum + ", " + periodic());
    case 0:
      return define("add " + sum + ", " + define("rem " + any() + ", " + number(3)));
    case 1:
      return define("add " + sum + ", " + define("mul " + any() + ", " + any()));
    case 2: {
      const std::string place =
          define("rem " + define("mul " + any() + ", " + any()) + ", " + number(5));
      const std::string within = define("mul " + place + ", " + place);
      return define("add " + sum + ", " +
                    define("load @t[" + define("rem " + within + ", " + number(5)) + "] access " +
                           std::to_string(site_++)));
    }
    default:
      return sum;
    }
  }

  /// Where the counter is not below zero, the same again after some iterations; or such a value of
  /// such a value.
  std::string periodic() {
    static const char *const Operations[] = {"rem", "div", "and", "or", "xor", "shr"};
    const unsigned operation = draw(6);
    const std::string of = draw(3) ? any() : periodic();
    return define(std::string(Operations[operation]) + " " + of + ", " +
                  number(1 + int64_t(draw(operation == 5 ? 2 : 7))));
  }

  void access() {
    text_ +=
        fresh() + " = load @b[" + address() + "] access " + std::to_string(site_++) + " : f32\n";
  }

  void nest(unsigned depth) {
    static const char *const Rising[] = {"lt", "le"}, *const Falling[] = {"gt", "ge"};
    const bool falls = draw(4) == 0;
    const std::string low = bound(), high = bound();
    const std::string step = number(falls ? -1 - int64_t(draw(2)) : 1 + int64_t(draw(3)));
    const size_t before = counters_.size();
    if (draw(3) == 0)
      hoisted();
    const std::string counter = fresh();
    text_ += "for " + counter + " : s64 = " + low + " " + (falls ? Falling : Rising)[draw(2)] +
             " " + high + " step " + step + (draw(8) ? "" : " posttest") + " () {\n";
    counters_.push_back(counter);
    access();
    if (draw(3) == 0) {
      const std::string condition = fresh();
      const std::string compared = draw(2) ? any() : periodic();
      text_ += condition + " = lt " + compared + ", " + any() + " : bool\nif " + condition + " {\n";
      access();
      text_ += "yield\n} else {\nyield\n}\n";
    }
    if (depth > 1)
      nest(depth - 1);
    if (depth > 2 && draw(2))
      nest(1);
    counters_.resize(before);
    const std::string behind = fresh();
    text_ += "yield\n} -> " + behind + " : s64\n";
    if (draw(4) == 0)
      counters_.push_back(behind);
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> counters_;
  unsigned last_ = 0, site_ = 0;
};

std::vector<ir::Scalar> scalarsOf(int64_t n) {
  return {{ir::ScalarType::S64, static_cast<uint64_t>(n)}};
}

TEST(ClosedLoops, AreWhatTheWalkFinds) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 350; ++seed) {
    const RandomNest nest(seed);
    const ir::Module module = ir::parsed(nest.text());
    std::vector<ir::ArrayData> arrays(2);
    arrays[1].cells = {0, 3, 1, 4, 2};
    for (int64_t n = 0; n <= 12; n += 1 + n / 4)
      for (uint64_t period : {1, 8, 12, 32}) {
        auto walked = walk(module, module.functions[0], arrays, scalarsOf(n), period);
        if (!walked) { // beyond the array
          llvm::consumeError(walked.takeError());
          EXPECT_FALSE(summarize(module.functions[0], arrays, scalarsOf(n), period))
              << "n = " << n << ", seed " << seed << "\n"
              << nest.text();
          break;
        }
        WalkLimits limits;
        for (uint64_t remembered : {limits.remembered, uint64_t(1)}) {
          limits.remembered = remembered;
          auto summary = summarize(module.functions[0], arrays, scalarsOf(n), period, limits);
          ASSERT_TRUE(summary) << nest.text();
          ++found;
          for (size_t s = 0; s < walked->sites.size(); ++s)
            ASSERT_EQ(summary->sites[s].counts, walked->sites[s].counts)
                << "n = " << n << ", seed " << seed << ", remembered from " << remembered << "\n"
                << nest.text();
        }
      }
  }
  EXPECT_GT(found, 1000u);
}

/// By op: of sites that are there whatever is not known, and of all.
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
        const Interval between = boundsOfSite(*bounds, site.op);
        ASSERT_LE(between.low, site.total()) << "n = " << n << ", seed " << seed << nest.text();
        ASSERT_GE(between.high, site.total()) << "n = " << n << ", seed " << seed << nest.text();
        ++(between.isExact() ? exact : open);
      }
    }
  }
  EXPECT_GT(found, 1500u);
  EXPECT_GT(exact, 1000u);
  EXPECT_GT(open, 300u);
}

const char *const Simple = R"(func "f" canonical mangled "f" {
  array @b : f32[n] parameter instance reads of b
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 3 : s64
    for %i#3 : s64 = %1 lt %n#0 step %2 () {
      %4 = load @b[%i#3] access 0 : f32
      yield
    } -> %5 : s64
    return
  }
}
)";

/// 10^9 accesses are no walk.
TEST(ClosedLoops, DoNotGrowWithTheirIterations) {
  const ir::Module module = ir::parsed(Simple);
  WalkLimits few;
  few.operations = 20;
  auto summary = summarize(module.functions[0], std::vector<ir::ArrayData>(1),
                           scalarsOf(3'000'000'001), 32, few);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), 1'000'000'001u);
  EXPECT_EQ(summary->sites[0].counts[0], 31'250'001u);
  EXPECT_EQ(summary->sites[0].counts[1], 31'250'000u);
}

/// Nor do those with periodic values: 10^9 iterations in four strides, and three bodies that are
/// tried in vain.
TEST(ClosedLoops, OfPeriodicValues) {
  std::string text = Simple;
  text.replace(text.find("f32[n]"), 6, "f32[4]");
  text.replace(text.find("%4 = load @b[%i#3]"), 18,
               "%6 = const 4 : s64\n%7 = rem %i#3, %6 : s64\n%4 = load @b[%7]");
  const ir::Module module = ir::parsed(text);
  WalkLimits few;
  few.operations = 60;
  auto summary = summarize(module.functions[0], std::vector<ir::ArrayData>(1),
                           scalarsOf(3'000'000'001), 32, few);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), 1'000'000'001u);
  EXPECT_EQ(summary->sites[0].counts[0], 250'000'001u);
  EXPECT_EQ(summary->sites[0].counts[3], 250'000'000u);
}

/// A profile of `body` in a function of n and k, in so few operations.
std::optional<AccessProfile> profileIn(uint64_t operations, const std::string &body, int64_t n,
                                       int64_t k = 0) {
  const ir::Module module = ir::parsed("func \"f\" canonical mangled \"f\" {\n"
                                       "array @b : f32[n] parameter instance reads of b\n"
                                       "body(%n#0 : s64, %k#1 : s64) scalar %n#0 n scalar %k#1 k {"
                                       "\n%zero#2 = const 0 : s64\n%one#3 = const 1 : s64\n" +
                                       body + "return\n}\n}\n");
  WalkLimits few;
  few.operations = operations;
  const std::vector<ir::Scalar> scalars = {ir::makeInt(ir::ScalarType::S64, n),
                                           ir::makeInt(ir::ScalarType::S64, k)};
  return summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalars, 32, few);
}

/// A level of bitonic sort: blocks of 2k of which one half has a partner above.
TEST(ClosedLoops, OfPartners) {
  const char *const Partners = R"(for %i#4 : s64 = %zero#2 lt %n#0 step %one#3 () {
    %5 = xor %i#4, %k#1 : s64
    %6 = gt %5, %i#4 : bool
    if %6 {
      %7 = load @b[%i#4] access 0 : f32
      yield
    } else {
      yield
    }
    yield
  } -> %8 : s64
)";
  constexpr int64_t N = int64_t(1) << 40;
  for (int64_t k : {1, 8, 1 << 20}) {
    auto summary = profileIn(60, Partners, N, k);
    ASSERT_TRUE(summary) << k;
    EXPECT_EQ(summary->total(), uint64_t(N) / 2) << k;
    const std::vector<uint64_t> &counts = summary->sites[0].counts;
    EXPECT_EQ(counts[0], uint64_t(N) / (k < 32 ? 32 : 64)) << k;
    EXPECT_EQ(counts[31], k < 32 ? 0u : uint64_t(N) / 64) << k;
  }
  // The last block is not whole: its first half.
  auto summary = profileIn(80, Partners, N - 8, 8);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), uint64_t(N) / 2);
}

/// From 5 on, in blocks that begin at 16: the borders are where the remainder is 0.
TEST(ClosedLoops, BlocksBeginWhereValuesDo) {
  const char *const Rows = R"(%4 = const 5 : s64
  %5 = const 1000003 : s64
  for %i#6 : s64 = %4 lt %n#0 step %one#3 () {
    %7 = rem %i#6, %5 : s64
    %8 = div %i#6, %5 : s64
    %9 = add %7, %8 : s64
    %10 = load @b[%9] access 0 : f32
    yield
  } -> %11 : s64
)";
  constexpr int64_t N = int64_t(1'000'000'000'000);
  auto summary = profileIn(80, Rows, N);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), uint64_t(N) - 5);
}

const char *const Nest = R"(for %i#4 : s64 = %zero#2 lt %n#0 step %one#3 () {
    for %j#5 : s64 = %zero#2 lt %i#4 step %one#3 () {
      for %k#6 : s64 = %zero#2 lt %j#5 step %one#3 () {
        for %l#7 : s64 = %zero#2 lt %k#6 step %one#3 () {
          %8 = sub %i#4, %j#5 : s64
          %9 = add %8, %l#7 : s64
          %10 = load @b[%9] access 0 : f32
          yield
        } -> %11 : s64
        yield
      } -> %12 : s64
      yield
    } -> %13 : s64
    yield
  } -> %14 : s64
)";

/// The third loop is run once for each j, not for each i: n^2 iterations rather than n^3.
TEST(ClosedLoops, InWalkedLoopsAreRemembered) {
  constexpr uint64_t N = 400;
  auto summary = profileIn(2'000'000, Nest, N);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), N * (N - 1) * (N - 2) * (N - 3) / 24);
  std::vector<uint64_t> counts(32);
  for (uint64_t i = 0; i < N; ++i)
    for (uint64_t j = 0; j < i; ++j)
      for (uint64_t l = 0; l < j; ++l) // for each k above
        counts[(i - j + l) % 32] += j - 1 - l;
  EXPECT_EQ(summary->sites[0].counts, counts);
  // In a closed loop, too, that adds to the cells.
  std::string repeated = Nest;
  repeated.replace(repeated.find("%9 = add %8, %l#7"), 17,
                   "%20 = add %8, %q#15 : s64\n"
                   "%9 = add %20, %l#7");
  auto again =
      profileIn(2'000'000,
                "%16 = const 3 : s64\nfor %q#15 : s64 = %zero#2 lt %16 step %one#3 () {\n" +
                    repeated + "yield\n} -> %17 : s64\n",
                N);
  ASSERT_TRUE(again);
  std::vector<uint64_t> turned(32);
  for (uint64_t q = 0; q < 3; ++q)
    for (uint64_t residue = 0; residue < 32; ++residue)
      turned[(residue + q) % 32] += counts[residue];
  EXPECT_EQ(again->sites[0].counts, turned);
}

/// Cells that are not linear: as many as iterations, wherever they are. Triangles: within 1 %.
TEST(BoundedLoops, AreTight) {
  const std::string squares = R"(%4 = const 1000003 : s64
  for %i#5 : s64 = %zero#2 lt %n#0 step %one#3 () {
    %6 = mul %i#5, %i#5 : s64
    %7 = rem %6, %4 : s64
    %8 = load @b[%7] access 0 : f32
    yield
  } -> %9 : s64
)";
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
  auto bounds = [](const std::string &body, int64_t n) {
    const ir::Module module = ir::parsed("func \"f\" canonical mangled \"f\" {\n"
                                         "array @b : f32[n] parameter instance reads of b\n"
                                         "body(%n#0 : s64) scalar %n#0 n {\n"
                                         "%zero#2 = const 0 : s64\n%one#3 = const 1 : s64\n" +
                                         body + "return\n}\n}\n");
    return boundsOf(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(n), 32);
  };
  constexpr int64_t N = 2'000'000'000;
  auto once = bounds(squares, N);
  ASSERT_TRUE(once);
  EXPECT_TRUE(once->isBounds);
  EXPECT_EQ(boundsOfSite(*once, once->sites[0].op), (Interval{uint64_t(N), uint64_t(N)}));
  auto half = bounds(triangles, N);
  ASSERT_TRUE(half);
  const Interval of = boundsOfSite(*half, half->sites[0].op);
  const double wanted = double(N) * double(N - 1) / 2;
  EXPECT_GT(double(of.low), 0.99 * wanted);
  EXPECT_LT(double(of.low), wanted);
  EXPECT_GT(double(of.high), wanted);
  EXPECT_LT(double(of.high), 1.01 * wanted);
}

/// What the walk would say is undefined is left to it.
TEST(ClosedLoops, LeaveErrorsToTheWalk) {
  std::string text = Simple;
  text.replace(text.find("@b[%i#3]"), 8, "@b[%n#0]"); // behind the end
  const ir::Module module = ir::parsed(text);
  EXPECT_FALSE(summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(9), 32));
}

TEST(Residues, AreThoseOfAllIterations) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const size_t modulus = 1 + random() % 40;
    const LoopCounts loops = {1 + int64_t(random() % 50), 1 + int64_t(random() % 7),
                              1 + int64_t(random() % 90)};
    LinearValue cell =
        LinearValue::of(ir::makeInt(ir::ScalarType::S64, int64_t(random() % 99) - 50));
    for (unsigned loop = 0; loop < 3; ++loop)
      if (random() % 2)
        cell.terms[loop] = int64_t(random() % 61) - 30;
    std::vector<uint64_t> counts(modulus), expected(modulus);
    addResidues(counts, cell, loops);
    for (int64_t x = 0; x < loops[0]; ++x)
      for (int64_t y = 0; y < loops[1]; ++y)
        for (int64_t z = 0; z < loops[2]; ++z) {
          int64_t value = ir::asInt64(cell.scalar);
          for (auto [loop, coefficient] : cell.terms)
            value += coefficient * (loop == 0 ? x : loop == 1 ? y : z);
          const auto m = static_cast<int64_t>(modulus);
          ++expected[static_cast<size_t>((value % m + m) % m)];
        }
    ASSERT_EQ(counts, expected) << "round " << round;
  }
}

} // namespace

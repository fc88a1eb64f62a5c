//===- PeriodicLoopsTest.cpp - Loops over values with periods -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remainders, quotients and masks of counters, conditions on them included, are counted at once:
// whatever the period, where blocks are made of blocks; up to 2^20 else.
//
//===----------------------------------------------------------------------===//

#include "IRText.h"
#include "Model/ClosedLoops.h"
#include "RandomNest.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// A body of operations on %i#3, line by line; fresh values are numbered from 10 on.
std::string loopOver(const std::string &body, int64_t first = 0, int64_t step = 1,
                     const char *comparison = "lt") {
  return "func \"f\" canonical mangled \"f\" {\n"
         "array @b : f32[n+10000] parameter instance reads of b\n"
         "body(%n#0 : s64) scalar %n#0 n {\n%1 = const " +
         std::to_string(first) + " : s64\n%2 = const " + std::to_string(step) +
         " : s64\nfor %i#3 : s64 = %1 " + comparison + " %n#0 step %2 () {\n" + body +
         "yield\n} -> %4 : s64\nreturn\n}\n}\n";
}

std::optional<AccessProfile> profileIn(uint64_t operations, const std::string &text, int64_t n) {
  const ir::Module module = ir::parsed(text);
  WalkLimits few;
  few.operations = operations;
  return summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(n), 32, few);
}

std::string constant(int number, int64_t value) {
  return "%" + std::to_string(number) + " = const " + std::to_string(value) + " : s64\n";
}

/// if (CONDITION) b[i], with %12 for the condition.
std::string loadIf(const std::string &condition) {
  return condition + "if %12 {\n%13 = load @b[%i#3] access 0 : f32\nyield\n} else {\nyield\n}\n";
}

/// `if (i % 2000 == 7)` and the like: blocks of any size are split where comparisons change.
TEST(PeriodicLoops, ConditionsOnRemaindersOfAnyPeriod) {
  constexpr int64_t N = 1'000'000'000;
  for (int64_t period : {3, 2000, 1'000'003, 400'000'000})
    for (const auto &[comparison, each] : // iterations of a period
         {std::pair("eq", int64_t(1)),
          {"ne", period - 1},
          {"lt", int64_t(2)},
          {"ge", period - 2}}) {
      const std::string text =
          loopOver(loadIf(constant(10, period) + constant(14, 2) +
                          "%11 = rem %i#3, %10 : s64\n%12 = " + comparison + " %11, %14 : bool\n"));
      const auto summary = profileIn(150, text, N);
      ASSERT_TRUE(summary) << period << " " << comparison;
      const int64_t rest = N % period; // its first iterations
      const std::string of = comparison;
      const int64_t last = of == "eq"   ? rest > 2
                           : of == "ne" ? rest - (rest > 2)
                           : of == "lt" ? std::min<int64_t>(rest, 2)
                                        : std::max<int64_t>(rest - 2, 0);
      EXPECT_EQ(summary->total(), static_cast<uint64_t>(N / period * each + last))
          << period << " " << comparison;
    }
}

/// Rows of an image without their first and last pixel: r = i / 1920, c = i % 1920.
TEST(PeriodicLoops, RowsOfAnImage) {
  const std::string text = loopOver(constant(10, 1920) + constant(11, 0) + constant(12, 1919) +
                                    "%13 = div %i#3, %10 : s64\n%14 = rem %i#3, %10 : s64\n"
                                    "%15 = gt %14, %11 : bool\n%16 = lt %14, %12 : bool\n"
                                    "if %15 {\nif %16 {\n%17 = mul %13, %10 : s64\n"
                                    "%18 = add %17, %14 : s64\n%19 = load @b[%18] access 0 : f32\n"
                                    "yield\n} else {\nyield\n}\nyield\n} else {\nyield\n}\n");
  const auto summary = profileIn(200, text, 1920 * int64_t(1'000'000));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), 1'918'000'000u);
  // 1920 = 60 * 32: the cells that are left out are the first and the last of a group.
  EXPECT_EQ(summary->sites[0].counts[0], 59'000'000u);
  EXPECT_EQ(summary->sites[0].counts[1], 60'000'000u);
  EXPECT_EQ(summary->sites[0].counts[31], 59'000'000u);
}

std::string remaindersOf(int64_t a, int64_t b) {
  return loadIf(constant(10, a) + constant(14, b) + "%11 = rem %i#3, %10 : s64\n" +
                "%15 = rem %i#3, %14 : s64\n%12 = eq %11, %15 : bool\n");
}

/// Periods that are not made of each other: the iterations of both are walked, once.
TEST(PeriodicLoops, SeveralPeriods) {
  constexpr int64_t N = 1'000'000'000;
  for (auto [a, b] : {std::pair<int64_t, int64_t>{3, 7}, {64, 21}, {1920, 1080}, {1009, 1013}}) {
    const int64_t period = std::lcm(a, b);
    const auto summary = profileIn(20'000'000, loopOver(remaindersOf(a, b)), N);
    ASSERT_TRUE(summary) << a << " " << b;
    uint64_t expected = 0;
    for (int64_t i = 0; i < period; ++i)
      if (i % a == i % b)
        expected += static_cast<uint64_t>(N / period + (i < N % period));
    EXPECT_EQ(summary->total(), expected) << a << " " << b;
  }
  // Beyond 2^20 they are not; nor where walking all is as fast.
  EXPECT_FALSE(profileIn(20'000'000, loopOver(remaindersOf(2003, 2011)), N));
  EXPECT_FALSE(profileIn(1'000'000, loopOver(remaindersOf(1009, 1013)), 3'000'000));
}

/// Bits of a mask, side by side or not, are so many blocks.
TEST(PeriodicLoops, MasksOfAnyBits) {
  constexpr int64_t N = 1'000'000'000;
  for (const char *operation : {"and", "or", "xor"})
    for (int64_t mask : {0, 5, 85, 0x5555, 0xf0f, 0x80001}) {
      const auto bodyFor = [&](int64_t n) {
        return loopOver(constant(10, mask) + "%11 = " + operation + " %i#3, %10 : s64\n" +
                        constant(12, n) +
                        "%13 = lt %11, %12 : bool\n%14 = load @b[%11] access 0 : f32\n");
      };
      const int64_t first = N - N % (int64_t(1) << 20); // all cells are there
      const auto summary = profileIn(2000, bodyFor(N), first);
      ASSERT_TRUE(summary) << operation << " " << mask;
      EXPECT_EQ(summary->total(), static_cast<uint64_t>(first));
      std::vector<uint64_t> expected(32);
      for (int64_t i = 0; i < 32; ++i) {
        const int64_t of = std::string(operation) == "and"  ? i & mask
                           : std::string(operation) == "or" ? i | mask
                                                            : i ^ mask;
        expected[static_cast<size_t>(of % 32)] += static_cast<uint64_t>(first / 32);
      }
      EXPECT_EQ(summary->sites[0].counts, expected) << operation << " " << mask;
    }
}

/// Nested conditions on values with periods, of loops in loops.
class RandomPeriods {
public:
  explicit RandomPeriods(unsigned seed) : random_(seed) {
    counters_ = {"%i#3"};
    statements(2);
    text_ = loopOver(body_, draw(3) ? 0 : draw(40), draw(3) ? 1 : 1 + draw(7));
  }
  const std::string &text() const { return text_; }

private:
  int draw(unsigned values) { return static_cast<int>(random_() % values); }
  std::string define(const std::string &operation, const char *type = "s64") {
    const std::string name = "%" + std::to_string(++last_);
    body_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string number(int value) { return define("const " + std::to_string(value)); }
  std::string counter() { return counters_[static_cast<size_t>(draw(unsigned(counters_.size())))]; }
  std::string value() {
    static const char *const Operations[] = {"rem", "div", "and", "xor", "or", "shr"};
    static const int Constants[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 21, 32, 33, 60, 64, 85, 100};
    std::string of = counter();
    if (draw(4) == 0)
      of = define("add " + of + ", " + (draw(2) ? counter() : number(draw(20))));
    const int operation = draw(7);
    if (operation == 6)
      return of;
    const int by = operation == 5 ? draw(5) : Constants[draw(16)];
    return define(std::string(Operations[operation]) + " " + of + ", " + number(by));
  }
  void access() {
    const std::string cell = define("and " + value() + ", " + number(8191));
    define("load @b[" + cell + "] access " + std::to_string(accesses_++), "f32");
  }
  void statements(int depth) {
    for (int k = 1 + draw(2); k > 0; --k)
      switch (depth == 0 ? 0 : draw(5)) {
      case 0:
        access();
        break;
      case 1:
        nest(depth);
        break;
      default:
        branch(depth);
      }
  }
  void branch(int depth) {
    static const char *const Comparisons[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    const std::string a = value(), b = draw(4) ? number(draw(draw(3) ? 8 : 90)) : value();
    const std::string yes = define(std::string(Comparisons[draw(6)]) + " " + a + ", " + b, "bool");
    body_ += "if " + yes + " {\n";
    statements(depth - 1);
    body_ += "yield\n} else {\n";
    if (draw(2))
      statements(depth - 1);
    body_ += "yield\n}\n";
  }
  void nest(int depth) {
    const std::string name = "%j#" + std::to_string(++last_);
    const std::string low = number(draw(4)), high = draw(3) ? number(draw(70)) : value(),
                      step = number(1 + draw(2));
    body_ += "for " + name + " : s64 = " + low + " lt " + high + " step " + step + " () {\n";
    counters_.push_back(name);
    statements(depth - 1);
    counters_.pop_back();
    body_ += "yield\n} -> %" + std::to_string(++last_) + " : s64\n";
  }

  std::mt19937 random_;
  std::string body_, text_;
  std::vector<std::string> counters_;
  int last_ = 9, accesses_ = 0;
};

TEST(PeriodicLoops, AreWhatTheWalkFinds) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const RandomPeriods nest(seed);
    const ir::Module module = ir::parsed(nest.text());
    for (int64_t n : {0, 1, 30, 129, 700, 2500}) {
      std::vector<ir::ArrayData> arrays(1);
      WalkLimits limits;
      limits.operations = 3'000'000;
      auto walked = walk(module, module.functions[0], arrays, scalarsOf(n), 32, limits);
      if (!walked) {
        llvm::consumeError(walked.takeError());
        continue;
      }
      auto summary = summarize(module.functions[0], arrays, scalarsOf(n), 32);
      ASSERT_TRUE(summary) << "n = " << n << ", seed " << seed << "\n" << nest.text();
      ++found;
      for (size_t s = 0; s < walked->sites.size(); ++s)
        ASSERT_EQ(summary->sites[s].counts, walked->sites[s].counts)
            << "n = " << n << ", seed " << seed << "\n"
            << nest.text();
    }
  }
  EXPECT_GT(found, 200u);
}

} // namespace

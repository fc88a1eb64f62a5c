//===- ClosedLoopsTest.cpp - Profiles without walking ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClosedLoops.h"

#include "IRText.h"
#include "RandomNest.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

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

/// Rows of a loop whose test loads the bound anew: `for (k = u[i]; TEST; k += STEP)`.
std::string testedRows(const std::string &test, const std::string &step,
                       const std::string &goesOn = "%yes#6") {
  return R"(func "f" canonical mangled "f" {
  array @b : f32[100000] parameter instance reads of b
  array @u : s64[7] parameter uniform const reads of u
  body(%n#0 : s64) scalar %n#0 n {
    %zero#1 = const 0 : s64
    %one#2 = const 1 : s64
    %back#3 = const -1 : s64
    %two#4 = const 2 : s64
    %six#5 = const 6 : s64
    %yes#6 = const true : bool
    for %i#7 : s64 = %zero#1 lt %six#5 step %one#2 () {
      %low#8 = load @u[%i#7] access 0 : s64
      loop (%k#9 : s64 = %low#8) {
        %next#10 = add %i#7, %one#2 : s64
        %high#11 = load @u[%next#10] access 1 : s64
        )" +
         test + R"(
        test %c#12, %k#9
      } do (%k#13 : s64) {
        %x#14 = load @b[%k#13] access 2 : f32
        %m#15 = add %k#13, )" +
         step + R"( : s64
        %less#16 = lt %m#15, %n#0 : bool
        yield )" +
         goesOn + R"(, %m#15
      } -> %last#17 : s64
      %y#18 = load @b[%last#17] access 3 : f32
      yield
    } -> %19 : s64
    return
  }
}
)";
}

TEST(ClosedLoops, BoundsThatTheTestLoads) {
  struct Case {
    const char *test, *step, *goesOn;
    std::vector<uint64_t> cells; // of u
    bool isAtOnce;
  };
  const char *const Yes = "%yes#6";
  const std::vector<uint64_t> rising = {0, 9000, 9000, 9001, 9003, 60000, 99999},
                              falling = {99999, 60000, 9003, 9001, 9000, 9000, 0},
                              even = {0, 9000, 9000, 9002, 9004, 60000, 99998},
                              short_ = {0, 3, 3, 4, 9, 11, 30};
  for (const Case &one : {
           Case{"%c#12 = lt %k#9, %high#11 : bool", "%one#2", Yes, rising, true},
           Case{"%c#12 = gt %high#11, %k#9 : bool", "%one#2", Yes, rising, true},
           Case{"%c#12 = lt %k#9, %high#11 : bool", "%two#4", Yes, rising, true},
           Case{"%c#12 = ne %k#9, %high#11 : bool", "%two#4", Yes, even, true},
           Case{"%c#12 = gt %k#9, %high#11 : bool", "%back#3", Yes, falling, true},
           Case{"%c#12 = le %high#11, %k#9 : bool",
                "%two#4",
                Yes,
                {0, 50000, 50000, 50000, 50000, 50000, 50000},
                false}, // up, without an end
           // What is compared moves as the counter does.
           Case{"%h#20 = add %k#9, %two#4 : s64\n%c#12 = lt %h#20, %high#11 : bool", "%one#2", Yes,
                rising, true},
           Case{"%h#20 = mul %k#9, %two#4 : s64\n%c#12 = lt %h#20, %high#11 : bool", "%one#2", Yes,
                rising, true},
           Case{"%h#20 = sub %two#4, %k#9 : s64\n%c#12 = gt %h#20, %high#11 : bool",
                "%one#2",
                Yes,
                {0, 0, 0, 0, 0, 0, 0},
                true},
           // Of each iteration its own, or ended by the body.
           Case{"%h#20 = mul %k#9, %two#4 : s64\n%c#12 = lt %h#20, %high#11 : bool", "%one#2", Yes,
                short_, false},
           Case{"%h#20 = sub %high#11, %k#9 : s64\n%c#12 = lt %k#9, %h#20 : bool", "%one#2", Yes,
                short_, false},
           Case{"%c#12 = lt %k#9, %high#11 : bool", "%one#2", "%less#16", short_, false},
       }) {
    const std::string text = testedRows(one.test, one.step, one.goesOn);
    const ir::Module module = ir::parsed(text);
    std::vector<ir::ArrayData> arrays(2);
    arrays[1].cells = one.cells;
    for (uint64_t period : {1, 8, 12}) {
      auto walked = walk(module, module.functions[0], arrays, scalarsOf(10), period);
      WalkLimits limits;
      limits.operations = one.isAtOnce ? 500 : 1'000'000;
      auto summary = summarize(module.functions[0], arrays, scalarsOf(10), period, limits);
      if (!walked) {
        llvm::consumeError(walked.takeError());
        EXPECT_FALSE(summary) << text;
        continue;
      }
      ASSERT_TRUE(summary) << text;
      for (size_t s = 0; s < walked->sites.size(); ++s)
        EXPECT_EQ(summary->sites[s].counts, walked->sites[s].counts) << text;
    }
  }
}

/// By op: of sites that are there whatever is not known, and of all.
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

/// Rows that data may end: of each row the first cell is always loaded; what is stored behind a
/// branch is not.
TEST(ClosedLoops, FirstIterationsAreMadeWhateverTheData) {
  const ir::Module module = ir::parsed(R"(func "f" canonical mangled "f" {
  array @b : f32[100000] parameter instance reads writes of b
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    %3 = const 0.0 : f32
    for %i#4 : s64 = %1 lt %n#0 step %2 () {
      for %j#5 : s64 = %1 lt %i#4 step %2 data ends () {
        %6 = load @b[%j#5] access 0 : f32 speculative but at first
        store @b[%i#4], %3 access 1 speculative
        yield
      } -> %7 : s64
      yield
    } -> %8 : s64
    return
  }
}
)");
  for (int64_t n : {0, 1, 5, 1000}) {
    const auto profile =
        summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(n), 8);
    ASSERT_TRUE(profile && profile->sites.size() == 3);
    const auto rows = static_cast<uint64_t>(std::max<int64_t>(n - 1, 0)); // with a cell
    const uint64_t all = rows * static_cast<uint64_t>(n) / 2;
    EXPECT_EQ(profile->total(), 2 * all);
    EXPECT_EQ(unconditional(*profile).total(), rows);
  }
}

/// for (unsigned j = n; j > 0; j--), and two counters that are compared with each other.
TEST(ClosedLoops, FallUnsignedAndAreCompared) {
  const std::string falling =
      "func \"f\" canonical mangled \"f\" {\n"
      "array @b : f32[100] parameter instance reads of b\n"
      "body(%n#0 : s64) scalar %n#0 n {\n%1 = cast %n#0 : u32\n"
      "%2 = const 0 : u32\n%3 = const 4294967295 : u32\n"
      "for %j#4 : u32 = %1 gt %2 step %3 () {\n%5 = cast %j#4 : s64\n"
      "%6 = load @b[%5] access 0 : f32\nyield\n} -> %7 : u32\nreturn\n}\n}\n";
  const ir::Module module = ir::parsed(falling);
  WalkLimits few;
  few.operations = 20;
  auto summary =
      summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(99), 32, few);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), 99u);
  EXPECT_EQ(summary->sites[0].counts[0], 3u); // 32, 64, 96
}

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

/// if (condition) the cell is loaded; `loaded`: a value that there is none of yet.
std::string loadedIf(const std::string &condition, const std::string &cell,
                     const std::string &loaded) {
  return "if " + condition + " {\n" + loaded + " = load @b[" + cell +
         "] access 0 : f32\nyield\n} else {\nyield\n}\n";
}

/// if (2 * i <= n): 0 is passed, but not reached, where n is odd.
TEST(ClosedLoops, ComparisonsThatPassZero) {
  for (const auto &[comparison, expected] :
       {std::pair("le", 50), std::pair("lt", 50), std::pair("gt", 49), std::pair("ge", 49)}) {
    auto summary = profileIn(40,
                             "%two#4 = const 2 : s64\nfor %i#5 : s64 = %zero#2 lt %n#0 step %one#3 "
                             "() {\n%6 = mul %i#5, %two#4 : s64\n%7 = " +
                                 std::string(comparison) + " %6, %n#0 : bool\n" +
                                 loadedIf("%7", "%i#5", "%8") + "yield\n} -> %9 : s64\n",
                             99);
    ASSERT_TRUE(summary) << comparison;
    EXPECT_EQ(summary->total(), uint64_t(expected)) << comparison;
  }
}

/// A level of bitonic sort: blocks of 2k of which one half has a partner above.
TEST(ClosedLoops, OfPartners) {
  const std::string partners = R"(for %i#4 : s64 = %zero#2 lt %n#0 step %one#3 () {
    %5 = xor %i#4, %k#1 : s64
    %6 = gt %5, %i#4 : bool
)" + loadedIf("%6", "%i#4", "%7") +
                               "yield\n} -> %8 : s64\n";
  constexpr int64_t N = int64_t(1) << 40;
  for (int64_t k : {1, 8, 1 << 20}) {
    auto summary = profileIn(60, partners, N, k);
    ASSERT_TRUE(summary) << k;
    EXPECT_EQ(summary->total(), uint64_t(N) / 2) << k;
    const std::vector<uint64_t> &counts = summary->sites[0].counts;
    EXPECT_EQ(counts[0], uint64_t(N) / (k < 32 ? 32 : 64)) << k;
    EXPECT_EQ(counts[31], k < 32 ? 0u : uint64_t(N) / 64) << k;
  }
  // The last block is not whole: its first half.
  auto summary = profileIn(80, partners, N - 8, 8);
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

/// if ((k != i) & (k != j)): for each k, which is walked, both loops in it are taken in parts. That
/// they had to be walked when k was not known says nothing of it.
TEST(ClosedLoops, InWalkedLoopsArePartedAnew) {
  constexpr uint64_t N = 2000;
  auto summary = profileIn(2'000'000, R"(for %k#4 : s64 = %zero#2 lt %n#0 step %one#3 () {
    for %i#5 : s64 = %zero#2 lt %n#0 step %one#3 () {
      for %j#6 : s64 = %zero#2 lt %n#0 step %one#3 () {
        %7 = ne %k#4, %i#5 : bool
        %8 = ne %k#4, %j#6 : bool
        %9 = and %7, %8 : bool
)" + loadedIf("%9", "%j#6", "%10") + R"(yield
      } -> %11 : s64
      yield
    } -> %12 : s64
    yield
  } -> %13 : s64
)",
                           N);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->total(), N * (N - 1) * (N - 1));
}

/// if ((l > j) | (l < i)): where both outcomes change is known before the loop over l is tried.
TEST(ClosedLoops, InWalkedLoopsBeginAtBordersThatAreKnown) {
  const std::string nest = R"(for %i#4 : s64 = %zero#2 lt %n#0 step %one#3 () {
    for %j#5 : s64 = %zero#2 lt %n#0 step %one#3 () {
      for %l#6 : s64 = %zero#2 lt %n#0 step %one#3 () {
        %15 = add %l#6, %one#3 : s64
        %7 = gt %15, %j#5 : bool
        %8 = lt %l#6, %i#4 : bool
        %9 = or %7, %8 : bool
)" + loadedIf("%9", "%l#6", "%10") +
                           R"(yield
      } -> %11 : s64
      yield
    } -> %12 : s64
    yield
  } -> %13 : s64
)";
  constexpr uint64_t N = 150;
  std::vector<uint64_t> counts(32);
  for (uint64_t i = 0; i < N; ++i)
    for (uint64_t j = 0; j < N; ++j)
      for (uint64_t l = 0; l < N; ++l)
        counts[l % 32] += l + 1 > j || l < i;
  auto summary = profileIn(1'000'000, nest, N);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->sites[0].counts, counts);
}

/// What the walk would say is undefined is left to it.
TEST(ClosedLoops, LeaveErrorsToTheWalk) {
  std::string text = Simple;
  text.replace(text.find("@b[%i#3]"), 8, "@b[%n#0]"); // behind the end
  const ir::Module module = ir::parsed(text);
  EXPECT_FALSE(summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(9), 32));
}

/// Of so many accesses the walk does not reach the first that is outside; another is named.
TEST(ClosedLoops, CellsOutsideAreNamed) {
  std::string text = Simple;
  text.replace(text.find("f32[n]"), 6, "f32[n-1]");
  const ir::Module module = ir::parsed(text);
  for (int64_t n : {int64_t(10), int64_t(1000), int64_t(3'000'000'001)}) { // the last cell is n - 1
    std::vector<ir::ArrayData> arrays(1);
    auto profile = model::profileOf(module, module.functions[0], arrays, scalarsOf(n), 32);
    const std::string error = llvm::toString(profile.takeError());
    EXPECT_NE(error.find("undefined behaviour: access outside the array's extent: cell " +
                         std::to_string(n - 1) + " of 'b', " + std::to_string(n - 1) + " cells"),
              std::string::npos)
        << error;
  }
  std::vector<ir::ArrayData> arrays(1);
  auto within = model::profileOf(module, module.functions[0], arrays, scalarsOf(3'000'000'000), 32);
  ASSERT_TRUE(bool(within)) << "2,999,999,997 is the last";
  EXPECT_EQ(within->total(), 1'000'000'000u);
}

} // namespace

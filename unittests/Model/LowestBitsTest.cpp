//===- LowestBitsTest.cpp - i & -i of counters ----------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of iterations, and profiles of loops that depend on such bits, are what walks find.
//
//===----------------------------------------------------------------------===//

#include "Model/LowestBits.h"

#include "IRText.h"
#include "Model/ClosedLoops.h"
#include "RandomNest.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

TEST(LowestBits, PartsHoldEachIterationOnce) {
  for (int64_t base : {-40, -12, -7, -1, 0, 1, 6, 8, 13, 96})
    for (int64_t coefficient : {-12, -8, -3, -1, 1, 2, 5, 16, 24})
      for (int64_t iterations : {1, 2, 7, 32, 100}) {
        std::vector<unsigned> met(static_cast<size_t>(iterations));
        for (const StridedPart &part : lowestBitParts(base, coefficient, iterations))
          for (int64_t i = 0; i < part.count; ++i) {
            const int64_t at = part.first + i * part.stride, number = base + coefficient * at,
                          first = base + coefficient * part.first;
            ASSERT_TRUE(at >= 0 && at < iterations);
            ++met[static_cast<size_t>(at)];
            EXPECT_EQ(number & -number, first & -first) << base << " + " << coefficient << " i";
          }
        EXPECT_EQ(met, std::vector<unsigned>(met.size(), 1));
      }
}

/// for (i = 1; i < n; i += step) for (j = 0; j < (x & -x); ++j) b[i + j], with x = 3 i - 12.
std::string loopsOf(const std::string &step, const std::string &factor) {
  return "func \"f\" canonical mangled \"f\" {\n"
         "  array @b : f32[100000] parameter instance reads of b\n"
         "  body(%n#0 : s64) scalar %n#0 n {\n"
         "    %1 = const 1 : s64\n    %2 = const " +
         step +
         " : s64\n    %3 = const 0 : s64\n"
         "    %4 = const " +
         factor +
         " : s64\n    %5 = const 12 : s64\n"
         "    for %i#6 : s64 = %1 lt %n#0 step %2 () {\n"
         "      %7 = mul %i#6, %4 : s64\n      %8 = sub %7, %5 : s64\n"
         "      %9 = neg %8 : s64\n      %10 = and %8, %9 : s64\n"
         "      for %j#11 : s64 = %3 lt %10 step %1 () {\n"
         "        %12 = add %i#6, %j#11 : s64\n"
         "        %13 = load @b[%12] access 0 : f32\n        yield\n"
         "      } -> %14 : s64\n      yield\n    } -> %15 : s64\n    return\n  }\n}\n";
}

TEST(LowestBits, LoopsAreCountedAtOnce) {
  for (const char *step : {"1", "2", "3"})
    for (const char *factor : {"1", "2", "3", "-1"}) {
      const ir::Module module = ir::parsed(loopsOf(step, factor));
      std::vector<ir::ArrayData> arrays(1);
      for (int64_t n : {0, 1, 2, 5, 13, 64, 200}) {
        auto walked = walk(module, module.functions[0], arrays, scalarsOf(n), 8);
        ASSERT_TRUE(static_cast<bool>(walked));
        const auto closed = summarize(module.functions[0], arrays, scalarsOf(n), 8);
        ASSERT_TRUE(closed);
        EXPECT_EQ(closed->sites[0].counts, walked->sites[0].counts)
            << step << ", " << factor << ", n = " << n;
      }
      WalkLimits few;
      few.operations = 3000;
      EXPECT_TRUE(summarize(module.functions[0], arrays, scalarsOf(30'000), 8, few))
          << step << ", " << factor;
    }
}

} // namespace

//===- BoxesTest.cpp - Nests counted box by box ---------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions on several counters: the profile is the walk's, and so are the entries of a kernel's
// regions; and whatever the order of the loops, it takes few operations.
//
//===----------------------------------------------------------------------===//

#include "IRText.h"
#include "Model/ClosedLoops.h"
#include "Model/OperationCounts.h"
#include "RandomBoxes.h"
#include "RandomNest.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::model;

namespace {

TEST(Boxes, AreWhatTheWalkFinds) {
  unsigned found = 0, left = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const RandomBoxes nest(seed);
    const ir::Module module = ir::parsed(nest.certificate());
    const ir::Module kernel = ir::parsed(nest.hasKernel() ? nest.kernel() : nest.certificate());
    for (int64_t n = 0; n <= 12; n += 1 + n / 3) {
      std::vector<ir::ArrayData> arrays(2);
      auto walked = walk(module, module.functions[0], arrays, scalarsOf(n), 32);
      if (!walked) { // something wraps, or is beyond the array
        llvm::consumeError(walked.takeError());
        continue;
      }
      ++found;
      const std::string where =
          "n = " + std::to_string(n) + ", seed " + std::to_string(seed) + "\n" + nest.certificate();
      auto summary = summarize(module.functions[0], arrays, scalarsOf(n), 32);
      if (!summary) { // left to the walk
        ++left;
        continue;
      }
      for (size_t s = 0; s < walked->sites.size(); ++s)
        ASSERT_EQ(summary->sites[s].counts, walked->sites[s].counts) << where;
      if (!nest.hasKernel())
        continue;
      auto regions = executionsOf(kernel.functions[0], arrays, scalarsOf(n));
      ASSERT_TRUE(bool(regions)) << where;
      const ir::Function &f = kernel.functions[0];
      for (size_t r = 0; r < f.regions.size(); ++r)
        for (OpId op : f.regions[r].ops)
          for (const Site &site : walked->sites) {
            if (f.op(op).opcode == ir::Opcode::Load && f.op(op).accessId == site.accessId)
              ASSERT_EQ((*regions)[r], (Executions{site.total(), 0})) << where;
          }
    }
  }
  EXPECT_GT(found, 1000u);
  EXPECT_LT(left, found / 20);
}

/// `for (A…) for (B…) for (C…) if (CONDITION) b[i*n + k]`, of %i, %j and %k; the condition is %9.
std::string boxedNest(const std::string &order, const std::string &condition) {
  std::string text = "func \"f\" canonical mangled \"f\" {\n  array @b : f32[n*n] parameter "
                     "instance reads of b\n  body(%n#0 : s64) scalar %n#0 n {\n"
                     "%zero = const 0 : s64\n%one = const 1 : s64\n%true = const true : bool\n";
  for (char loop : order)
    text += std::string("for %") + loop + " : s64 = %zero lt %n#0 step %one () {\n";
  text += condition + "if %9 {\n%10 = mul %i, %n#0 : s64\n%11 = add %10, %k : s64\n"
                      "%12 = load @b[%11] access 0 : f32\nyield\n} else {\nyield\n}\n";
  for (int loop = 0; loop < 3; ++loop)
    text += "yield\n} -> %" + std::to_string(20 + loop) + " : s64\n";
  return text + "return\n}\n}\n";
}

struct BoxedCondition {
  const char *text;
  bool (*holds)(int64_t i, int64_t j, int64_t k);
  uint64_t operations; // of a million iterations
};

const BoxedCondition BoxedConditions[] = {
    {"%1 = gt %k, %j : bool\nif %1 {\nyield %true\n} else {\n%2 = lt %k, %i : bool\nyield %2\n} -> "
     "%9 : bool\n",
     [](int64_t i, int64_t j, int64_t k) { return k > j || k < i; }, 30'000},
    {"%1 = gt %k, %j : bool\n%2 = gt %j, %i : bool\n%3 = and %1, %2 : bool\n%9 = not %3 : bool\n",
     [](int64_t i, int64_t j, int64_t k) { return !(k > j && j > i); }, 30'000},
    {"%1 = const 3 : s64\n%2 = add %i, %j : s64\n%3 = add %2, %k : s64\n%4 = rem %3, %1 : s64\n"
     "%9 = eq %4, %zero : bool\n",
     [](int64_t i, int64_t j, int64_t k) { return (i + j + k) % 3 == 0; }, 3'000},
    {"%1 = const 7 : s64\n%2 = rem %i, %1 : s64\n%3 = rem %j, %1 : s64\n%4 = eq %2, %3 : bool\n"
     "%5 = ne %k, %i : bool\n%9 = and %4, %5 : bool\n",
     [](int64_t i, int64_t j, int64_t k) { return i % 7 == j % 7 && k != i; }, 60'000},
    {"%1 = const 1 : s64\n%2 = xor %i, %1 : s64\n%3 = eq %2, %j : bool\n%4 = const 3 : s64\n"
     "%5 = div %k, %4 : s64\n%6 = gt %5, %i : bool\n%9 = or %3, %6 : bool\n",
     [](int64_t i, int64_t j, int64_t k) { return (i ^ 1) == j || k / 3 > i; }, 60'000},
    {"%1 = add %i, %j : s64\n%9 = gt %1, %k : bool\n",
     [](int64_t i, int64_t j, int64_t k) { return i + j > k; }, 400'000},
};

/// Whatever the order of the loops, those are walked that comparisons have in common.
TEST(Boxes, TakeLoopsInTheBestOrder) {
  constexpr int64_t N = 100;
  std::string order = "ijk";
  do
    for (const BoxedCondition &condition : BoxedConditions) {
      const ir::Module module = ir::parsed(boxedNest(order, condition.text));
      WalkLimits few;
      few.operations = condition.operations;
      auto summary =
          summarize(module.functions[0], std::vector<ir::ArrayData>(1), scalarsOf(N), 32, few);
      ASSERT_TRUE(summary) << order << "\n" << condition.text;
      std::vector<uint64_t> expected(32);
      for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < N; ++j)
          for (int64_t k = 0; k < N; ++k)
            expected[static_cast<size_t>((i * N + k) % 32)] += condition.holds(i, j, k);
      EXPECT_EQ(summary->sites[0].counts, expected) << order << "\n" << condition.text;
    }
  while (std::next_permutation(order.begin(), order.end()));
}

} // namespace

//===- EnumeratedCellsTest.cpp - Cells that are not linear ----------------===//
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

/// `body` in two loops over i < n and k < 100, at most `operations` of which are looked at.
std::optional<AccessProfile> profileOfRows(const std::string &body, int64_t n,
                                           uint64_t operations) {
  const ir::Module module = ir::parsed(R"(func "f" canonical mangled "f" {
  array @b : f32[1000] parameter instance reads of b
  array @t : s32[1000] parameter uniform reads of t
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    %3 = const 100 : s64
    %4 = const 1000 : s64
    for %i#5 : s64 = %1 lt %n#0 step %2 () {
      for %k#6 : s64 = %1 lt %3 step %2 () {
)" + body + R"(
        yield
      } -> %90 : s64
      yield
    } -> %91 : s64
    return
  }
}
)");
  std::vector<ir::ArrayData> arrays(2);
  for (uint64_t cell = 0; cell < 1000; ++cell)
    arrays[1].cells.push_back(cell * 7919 % 1000);
  WalkLimits limits;
  limits.operations = operations;
  return summarize(module.functions[0], arrays, scalarsOf(n), 32, limits);
}

const std::string Gather = R"(
        %7 = rem %i#5, %3 : s64
        %8 = mul %7, %k#6 : s64
        %9 = rem %8, %4 : s64
        %10 = load @t[%9] access 0 : s32
        %11 = cast %10 : s64
        %12 = load @b[%11] access 1 : f32
)";

/// A table at a place that is no linear one: its loops are closed, all the same.
TEST(EnumeratedCells, KeepNoLoopOpen) {
  constexpr uint64_t N = 2000;
  auto summary = profileOfRows(Gather, N, 3'000);
  ASSERT_TRUE(summary);
  std::vector<uint64_t> places(32), cells(32);
  for (uint64_t i = 0; i < N; ++i)
    for (uint64_t k = 0; k < 100; ++k) {
      const uint64_t place = i % 100 * k % 1000;
      ++places[place % 32];
      ++cells[place * 7919 % 1000 % 32];
    }
  EXPECT_EQ(summary->sites[0].counts, places);
  EXPECT_EQ(summary->sites[1].counts, cells);
}

/// Loops that the cell does not depend on only multiply.
TEST(EnumeratedCells, AreThoseOfTheirLoops) {
  const std::string ofK = R"(
        %7 = load @t[%k#6] access 0 : s32
        %8 = cast %7 : s64
        %9 = load @b[%8] access 1 : f32
)";
  constexpr uint64_t N = 1'000'000'000;
  auto summary = profileOfRows(ofK, N, 100);
  ASSERT_TRUE(summary);
  std::vector<uint64_t> cells(32);
  for (uint64_t k = 0; k < 100; ++k)
    cells[k * 7919 % 1000 % 32] += N;
  EXPECT_EQ(summary->sites[1].counts, cells);
}

/// A cell beyond the array, an overflow: the walk says what is wrong. Too many: they are bounded.
TEST(EnumeratedCells, LeaveTheRestToOthers) {
  EXPECT_FALSE(profileOfRows(R"(
        %7 = mul %k#6, %k#6 : s64
        %8 = load @b[%7] access 0 : f32
)",
                             2, 10'000));
  std::string apart = Gather;
  apart.replace(apart.find("mul %7"), 6, "mul %i#5");
  EXPECT_FALSE(profileOfRows(apart, 1'000'000'000, 10'000));
}

} // namespace

//===- ThreadCyclesTest.cpp -----------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cycles that a thread's operations take by itself: 1 to issue one, 4 until its result is used.
//
//===----------------------------------------------------------------------===//

#include "Model/ThreadCycles.h"

#include "Model/IssuedOperations.h"

#include "IRText.h"

#include <string>

using namespace colonnade;
using namespace colonnade::model;

namespace {

struct Cycles {
  double cycles = 0, issued = 0;
};

/// Of a kernel with this body, whose loops have constant bounds.
Cycles cyclesOf(const std::string &body) {
  const ir::Module module = ir::parsed(
      "func \"f\" kernel threads 256 mangled \"f\" {\n"
      "  array @a : f32[64] parameter instance const reads of a in memory\n"
      "  array @b : f32[64] parameter instance reads writes of b in memory\n"
      "  body() {\n    %0 = const 0 : s64\n    %1 = const 1 : s64\n    %2 = const 64 : s64\n" +
      body + "    return\n  }\n}\n");
  const ir::Function &kernel = module.functions[0];
  const RegionExecutions executions =
      llvm::cantFail(executionsOf(kernel, {ir::ArrayData{}, ir::ArrayData{}}, {}));
  return {threadCycles(kernel, executions), issuedOperations(kernel, executions)};
}

/// `attributes`: of a loop that hands on a number, to which each iteration adds a cell.
std::string sumOf(const std::string &attributes) {
  return "    %3 = load @b[%0] access 0 : varying f32\n"
         "    for %i#4 : s64 = %0 lt %2 step %1 " +
         attributes +
         " (%5 : varying f32 = %3) {\n"
         "      %6 = load @a[%i#4] access 1 : varying f32\n"
         "      %7 = add %5, %6 : varying f32\n"
         "      yield %7\n"
         "    } -> %8 : s64, %9 : varying f32\n"
         "    store @b[%0], %9 access 2\n";
}

TEST(ThreadCycles, AChainWaitsForEachResult) {
  const Cycles chain = cyclesOf("    %3 = load @b[%0] access 0 : varying f32\n"
                                "    %4 = add %3, %3 : varying f32\n"
                                "    %5 = mul %4, %4 : varying f32\n"
                                "    %6 = sub %5, %3 : varying f32\n"
                                "    store @b[%0], %6 access 1\n");
  EXPECT_EQ(chain.issued, 5);
  EXPECT_EQ(chain.cycles, 4 * 4);
}

TEST(ThreadCycles, WhatIsIndependentIsIssuedMeanwhile) {
  std::string body;
  for (int k = 0; k < 32; ++k)
    body += "    %" + std::to_string(3 + k) + " = load @b[%0] access " + std::to_string(k) +
            " : varying f32\n";
  for (int k = 0; k < 32; ++k)
    body += "    %" + std::to_string(40 + k) + " = mul %" + std::to_string(3 + k) + ", %3" +
            " : varying f32\n";
  const Cycles wide = cyclesOf(body);
  EXPECT_EQ(wide.issued, 64);
  EXPECT_EQ(wide.cycles, 64);
}

/// An iteration waits for the sum of the one before, and for nothing else of it.
TEST(ThreadCycles, LoopsWaitForWhatIterationsHandOn) {
  for (const char *attributes : {"unroll 8", "unroll fully", ""}) {
    const Cycles sum = cyclesOf(sumOf(attributes));
    EXPECT_GE(sum.cycles, 64 * 4) << attributes;
    EXPECT_LE(sum.cycles, 64 * 4 + 16) << attributes;
  }
}

/// A loop that hands nothing on is as fast as its iterations are issued, eight at once; where one
/// runs at a time, it waits for all of its chain.
TEST(ThreadCycles, ChainsOfIterationsLieSideBySide) {
  const auto squares = [](const std::string &attributes) {
    return cyclesOf("    for %i#4 : s64 = %0 lt %2 step %1 " + attributes +
                    " () {\n"
                    "      %6 = load @a[%i#4] access 0 : varying f32\n"
                    "      %7 = mul %6, %6 : varying f32\n"
                    "      %8 = add %7, %6 : varying f32\n"
                    "      store @b[%i#4], %8 access 1\n"
                    "      yield\n"
                    "    } -> %9 : s64\n");
  };
  EXPECT_EQ(squares("unroll 8").cycles, 64 * (4 + 2 / 8.0));
  EXPECT_EQ(squares("unroll 1").cycles, 64 * 12);
}

/// A branch ends the way; its arms count by how often they are entered.
TEST(ThreadCycles, ABranchIsWaitedFor) {
  const Cycles loops = cyclesOf("    for %i#3 : s64 = %0 lt %2 step %1 unroll 4 () {\n"
                                "      for %j#4 : s64 = %0 lt %i#3 step %1 unroll 4 () {\n"
                                "        %5 = load @a[%j#4] access 0 : varying f32\n"
                                "        %6 = add %5, %5 : varying f32\n"
                                "        store @b[%j#4], %6 access 1\n"
                                "        yield\n"
                                "      } -> %7 : s64\n"
                                "      yield\n"
                                "    } -> %8 : s64\n");
  const double inner = 64 * 63 / 2 * (3 + 2 / 4.0);
  EXPECT_GE(loops.cycles, inner);
  EXPECT_LE(loops.cycles, inner + 64 * 4);
}

/// Between issuing all and waiting for each.
TEST(ThreadCycles, Limits) {
  for (const char *attributes : {"unroll 8", "unroll fully", "", "unroll 1"}) {
    const Cycles sum = cyclesOf(sumOf(attributes));
    EXPECT_GE(sum.cycles, sum.issued) << attributes;
    EXPECT_LE(sum.cycles, 4 * sum.issued) << attributes;
  }
}

/// Nests that are unrolled are asked of once a level, not once for every loop around.
TEST(ThreadCycles, DeepNestsAreFast) {
  std::string open, close;
  for (int depth = 0; depth < 40; ++depth) {
    const std::string d = std::to_string(100 + 10 * depth), e = std::to_string(101 + 10 * depth);
    open += "    for %i" + d + "#" + d + " : s64 = %0 lt %1 step %1 unroll fully () {\n";
    close = "    yield\n    } -> %" + e + " : s64\n" + close;
  }
  const Cycles nest = cyclesOf(open + "    %3 = load @a[%0] access 0 : varying f32\n" + close);
  EXPECT_EQ(nest.cycles, 4);
}

} // namespace

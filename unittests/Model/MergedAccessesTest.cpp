//===- MergedAccessesTest.cpp - Loads that a compiler leaves out ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops whose loads are counted by hand. What nvcc leaves of whole functions: scripts/model-check.
//
//===----------------------------------------------------------------------===//

#include "Model/MergedAccesses.h"

#include "IRText.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// A loop over i = 1 … 31 with this body, run `times` iterations at once.
MergedAccesses ofLoop(const std::string &body, const std::string &unrolling = "unroll 8") {
  const ir::Module module = ir::parsed(
      "func \"f\" kernel threads 256 mangled \"f\" {\n"
      "  array @b : f32[64] parameter instance reads writes of b in memory\n"
      "  array @k : s64[64] parameter uniform const reads of k in uniform\n"
      "  body(%n#0 : s64) scalar %n#0 n {\n"
      "    %1 = const 1 : s64\n    %2 = const 32 : s64\n"
      "    for %i#3 : s64 = %1 lt %2 step %1 " +
      unrolling + " () {\n" + body + "      yield\n    } -> %99 : s64\n    return\n  }\n}\n");
  const ir::Function &function = module.functions[0];
  RegionExecutions executions(function.regions.size(), {31, 0});
  executions[function.body.index] = {1, 0};
  return mergedAccesses(function, executions);
}

const char *const PrefixSums = R"(      %4 = sub %i#3, %1 : s64
      %5 = load @b[%4] access 0 : varying f32
      %6 = load @b[%i#3] access 1 : varying f32
      %7 = add %6, %5 : varying f32
      store @b[%i#3], %7 access 2
)";

/// Three windows of eight leave out seven loads of the cell before each; seven iterations none.
/// Where nothing is said, the compiler takes four at once: seven windows leave out three each.
TEST(MergedAccesses, OfTheCellThatWasStoredBefore) {
  const MergedAccesses merged = ofLoop(PrefixSums);
  EXPECT_EQ(merged.loads, (std::map<uint32_t, double>{{0, 21}}));
  EXPECT_EQ(merged.iterations, 8u);
  const MergedAccesses unsaid = ofLoop(PrefixSums, "");
  EXPECT_EQ(unsaid.loads, (std::map<uint32_t, double>{{0, 21}}));
  EXPECT_EQ(unsaid.iterations, 4u);
}

TEST(MergedAccesses, OfOneCellTwiceInAnIteration) {
  const std::string body = "      %4 = load @b[%i#3] access 0 : varying f32\n"
                           "      %5 = load @b[%i#3] access 1 : varying f32\n"
                           "      %6 = add %4, %5 : varying f32\n"
                           "      store @b[%i#3], %6 access 2\n";
  for (const char *unrolling : {"unroll 8", ""}) {
    const MergedAccesses merged = ofLoop(body, unrolling);
    EXPECT_EQ(merged.of(1), 31);
    EXPECT_EQ(merged.of(0), 0);
  }
}

/// b[k[i]] is another cell in each iteration, and may be the one that was stored.
TEST(MergedAccesses, NotOfCellsThatAreNotKnown) {
  const std::string loaded = "      %4 = load @k[%i#3] access 0 : s64\n"
                             "      %5 = load @b[%4] access 1 : varying f32\n";
  EXPECT_EQ(ofLoop(loaded).total(), 0);
  const std::string between = "      %4 = load @b[%i#3] access 0 : varying f32\n"
                              "      %5 = load @k[%i#3] access 1 : s64\n"
                              "      store @b[%5], %4 access 2\n"
                              "      %6 = load @b[%i#3] access 3 : varying f32\n"
                              "      store @b[%i#3], %6 access 4\n";
  EXPECT_EQ(ofLoop(between).total(), 0);
}

/// 2^60 ways lead from the subscript to the counter.
TEST(MergedAccesses, OfValuesThatAreAddedToThemselves) {
  std::string body = "      %100 = add %i#3, %i#3 : s64\n";
  for (int k = 101; k < 160; ++k)
    body += "      %" + std::to_string(k) + " = add %" + std::to_string(k - 1) + ", %" +
            std::to_string(k - 1) + " : s64\n";
  body += "      %160 = load @b[%159] access 0 : varying f32\n";
  EXPECT_EQ(ofLoop(body).total(), 0);
}

/// Of a cell that no iteration changes, each window loads once.
TEST(MergedAccesses, OfTheSameCellInAllIterations) {
  EXPECT_EQ(ofLoop("      %4 = load @b[%n#0] access 0 : varying f32\n").total(), 21);
}

} // namespace

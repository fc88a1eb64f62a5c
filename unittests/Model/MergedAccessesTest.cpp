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

/// A team of four that runs b[i][j] += a[i][k] for i = 0 … 3, j = its number, k = 0 … 7, all
/// unrolled.
std::string ofTeam(const std::string &pitch, const std::string &body) {
  return R"(func "f" kernel threads 128 together row_wise team 4 mangled "f" {
  array @a : f32[32] parameter instance const reads of a in memory
  array @b : f32[32] parameter instance const reads of b in memory
  array @a_rows : f32[8, 32] local warp reads writes in shared pitch )" +
         pitch + R"(
  array @b_rows : f32[8, 32] local warp reads writes in shared pitch )" +
         pitch + R"(
  body(%n#0 : s32) scalar %n#0 n {
    %1 = lane : varying s64
    %2 = member : varying s64
    %3 = const 4 : s64
    %4 = div %1, %3 : varying s64
    %5 = const 0 : s64
    %6 = const 1 : s64
    %7 = const 8 : s64
    %8 = const 32 : s64
    %9 = const 3 : s64
    stage @a_rows from @a
    stage @b_rows from @b
    wait
    barrier warp
)" + body +
         "    return\n  }\n}\n";
}

MergedAccesses ofTeamBody(const std::string &body, const std::string &pitch = "36") {
  const ir::Module module = ir::parsed(ofTeam(pitch, body));
  const ir::Function &function = module.functions[0];
  return mergedAccesses(function, llvm::cantFail(executionsOf(function, {}, {})));
}

const char *const TeamBody = R"(    for %i#20 : s64 = %5 lt %3 step %6 unroll fully () {
      for %k#21 : s64 = %5 lt %7 step %6 unroll fully () {
        %22 = mul %i#20, %7 : s64
        %23 = add %22, %k#21 : s64
        %24 = load @a_rows[%4, %23; %8] access 0 : varying f32
        %25 = mul %k#21, %3 : s64
        %26 = add %25, %2 : varying s64
        %27 = load @b_rows[%4, %26; %8] access 1 : varying f32
        yield
      } -> %28 : s64
      yield
    } -> %29 : s64
)";

/// Of 4 x 8 loads of b 8 are other cells; of a, all are, but four that all members ask for are one
/// load. Row after row of 33 words, no four of them begin at a multiple of 16 bytes.
TEST(MergedAccesses, OfLoopsThatAreUnrolledFully) {
  const MergedAccesses merged = ofTeamBody(TeamBody), odd = ofTeamBody(TeamBody, "33");
  EXPECT_EQ(merged.shared.left, 24 + 24);
  EXPECT_EQ(merged.shared.words, 24 + 24);
  EXPECT_EQ(odd.shared.left, 24);
  EXPECT_EQ(merged.total(), 0) << "of memory";
  std::string rolled = TeamBody;
  for (size_t at; (at = rolled.find(" unroll fully")) != std::string::npos;)
    rolled.erase(at, 13);
  EXPECT_LT(ofTeamBody(rolled).shared.left, 24);
}

/// Members' cells lie side by side, the rows of eight teams 36 words apart: each bank has one. By a
/// stride of eight words four members meet in four banks of each row's.
TEST(MergedAccesses, LanesWaitForBanks) {
  const auto waits = [](const char *factor) {
    return ofTeamBody("    %20 = const " + std::string(factor) +
                      " : s64\n    %21 = mul %2, %20 : varying s64\n"
                      "    %22 = load @b_rows[%4, %21; %8] access 0 : varying f32\n")
        .shared.waits;
  };
  EXPECT_EQ(waits("1"), 0);
  EXPECT_EQ(waits("8"), 3);
}

std::string guarded(const std::string &condition, const std::string &then) {
  return "    %20 = load @b_rows[%4, %5; %8] access 0 : varying f32\n"
         "    %21 = load @b_rows[%4, %6; %8] access 1 : varying f32\n" +
         condition + "    if %30 {\n" + then + "      yield\n    } else {\n      yield\n    }\n" +
         "    %40 = load @b_rows[%4, %5; %8] access 2 : varying f32\n"
         "    %41 = load @b_rows[%4, %9; %8] access 3 : varying f32\n";
}
const char *const OfData = "    %30 = lt %20, %21 : varying bool\n";

/// What was loaded before a branch is there in its arms, and behind them if none has stored it;
/// what only one arm has loaded is not.
TEST(MergedAccesses, BranchesOnData) {
  const std::string load = "      %31 = load @b_rows[%4, %6; %8] access 4 : varying f32\n"
                           "      %32 = load @b_rows[%4, %9; %8] access 5 : varying f32\n",
                    store = "      store @b_rows[%4, %5; %8], %21 access 6\n";
  EXPECT_EQ(ofTeamBody(guarded(OfData, load), "33").shared.left, 2);
  EXPECT_EQ(ofTeamBody(guarded(OfData, load + store), "33").shared.left, 1);
}

/// Where a team's members take a branch by their numbers, one that is taken again holds what it
/// loaded; others do not.
TEST(MergedAccesses, BranchesOfMembers) {
  const std::string load = "      %31 = load @b_rows[%4, %2; %8] access 4 : varying f32\n";
  const auto twice = [&](const char *second) {
    return ofTeamBody("    %29 = lt %2, %9 : varying bool\n    if %29 {\n" + load +
                      "      yield\n    } else {\n      yield\n    }\n    %30 = lt %2, " + second +
                      " : varying bool\n    if %30 {\n"
                      "      %33 = load @b_rows[%4, %2; %8] access 5 : varying f32\n"
                      "      yield\n    } else {\n      yield\n    }\n")
        .shared.left;
  };
  EXPECT_EQ(twice("%9"), 1);
  EXPECT_EQ(twice("%3"), 0);
}

/// A barrier is there because another thread has stored.
TEST(MergedAccesses, NotAcrossBarriers) {
  const std::string load = "    %20 = load @b_rows[%4, %5; %8] access 0 : varying f32\n",
                    again = "    %21 = load @b_rows[%4, %5; %8] access 1 : varying f32\n";
  EXPECT_EQ(ofTeamBody(load + again).shared.left, 1);
  EXPECT_EQ(ofTeamBody(load + "    barrier instance\n" + again).shared.left, 0);
}

} // namespace

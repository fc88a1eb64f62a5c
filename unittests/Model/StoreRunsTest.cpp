//===- StoreRunsTest.cpp - Stores that are issued together ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/StoreRuns.h"

#include "IRText.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

/// A loop over i = 1 ... 31 with this body that runs so many iterations at once.
ir::Module loopOf(const std::string &body, const std::string &unrolling, int last) {
  return ir::parsed("func \"f\" kernel threads 256 mangled \"f\" {\n"
                    "  array @b : f32[64] parameter instance reads writes of b in memory\n"
                    "  array @c : f32[64] parameter instance const reads of c in memory\n"
                    "  body(%n#0 : s64) scalar %n#0 n {\n"
                    "    %1 = const 1 : s64\n    %2 = const " +
                    std::to_string(last + 1) +
                    " : s64\n    %3 = const 0.0 : f32\n"
                    "    for %i#4 : s64 = %1 lt %2 step %1 " +
                    unrolling + " () {\n" + body +
                    "      yield\n    } -> %99 : s64\n    return\n  }\n}\n");
}

RegionExecutions oneLoop(const ir::Function &function, uint64_t iterations) {
  RegionExecutions executions(function.regions.size(), {iterations, 0});
  executions[function.body.index] = {1, 0};
  return executions;
}

/// Of access 1.
unsigned together(const std::string &body, Layout layout,
                  const std::string &unrolling = "unroll 8") {
  const ir::Module module = loopOf(body, unrolling, 31);
  const ir::Function &function = module.functions[0];
  return storesTogether(function, oneLoop(function, 31), layout).at(1).number;
}

/// Of access 0; nullopt: of one iteration.
std::optional<unsigned> loaded(const std::string &body, Layout layout, int last) {
  const ir::Module module = loopOf(body, "unroll 8", last);
  const ir::Function &function = module.functions[0];
  const auto loads =
      loadsTogether(function, oneLoop(function, static_cast<uint64_t>(last)), layout);
  return loads.contains(0) ? std::optional(loads.at(0).iterations) : std::nullopt;
}

const char *const Copied = R"(      %5 = load @c[%i#4] access 0 : varying f32
      store @b[%i#4], %5 access 1
)";
const char *const InPlace = R"(      %5 = load @b[%i#4] access 0 : varying f32
      store @b[%i#4], %5 access 1
)";
const char *const Cleared = "      store @b[%i#4], %3 access 1\n";

/// What is not written may be loaded before; of its own cells the compiler knows where they lie,
/// but for columns.
TEST(StoreRuns, AreOfIterationsWhoseLoadsAreTogether) {
  for (Layout layout : allLayouts())
    EXPECT_EQ(together(Copied, layout), 8u) << name(layout);
  EXPECT_EQ(together(InPlace, Layout::Row), 8u);
  EXPECT_EQ(together(InPlace, Layout::Tiled), 8u);
  EXPECT_EQ(together(InPlace, Layout::Column), 1u);
}

TEST(StoreRuns, AreOfIterationsAtOnceWhereNothingIsLoaded) {
  EXPECT_EQ(together(Cleared, Layout::Column), 8u);
  EXPECT_EQ(together(Cleared, Layout::Column, ""), 4u);
}

/// Of a short loop, all; of a longer one those at once, unless they wait for stores.
TEST(LoadsTogether, AreOfIterationsAtOnce) {
  EXPECT_EQ(loaded(Copied, Layout::Column, 31), 0u);
  EXPECT_EQ(loaded(Copied, Layout::Column, 62), 8u);
  EXPECT_EQ(loaded(InPlace, Layout::Row, 62), 8u);
  EXPECT_EQ(loaded(InPlace, Layout::Column, 62), std::nullopt);
}

/// A loop of three iterations is none for the compiler, and a branch that computes little is a
/// choice; one that loads or stores is not.
TEST(StoreRuns, AreOfIterationsWithShortLoopsAndChoices) {
  const auto withLoop = [](const char *iterations) {
    return std::string("      %20 = const ") + iterations + R"( : s64
      for %k#5 : s64 = %1 lt %20 step %1 (%6 : varying f32 = %3) {
        %7 = load @c[%k#5] access 0 : varying f32
        %8 = add %6, %7 : varying f32
        yield %8
      } -> %9 : s64, %10 : varying f32
      store @b[%i#4], %10 access 1
)";
  };
  EXPECT_EQ(together(withLoop("4"), Layout::Column), 8u);
  EXPECT_EQ(together(withLoop("40"), Layout::Column), 1u);
  const auto withBranch = [](const std::string &otherwise) {
    return R"(      %5 = load @c[%i#4] access 0 : varying f32
      %6 = lt %5, %3 : varying bool
      if %6 {
        yield %3
      } else {
)" + otherwise +
           R"(        yield %7
      } -> %8 : varying f32
      store @b[%i#4], %8 access 1
)";
  };
  EXPECT_EQ(together(withBranch("        %7 = mul %5, %5 : varying f32\n"), Layout::Column), 8u);
  EXPECT_EQ(together(withBranch("        %7 = div %5, %5 : varying f32\n"), Layout::Column), 1u);
  EXPECT_EQ(
      together(withBranch("        %7 = load @c[%1] access 2 : varying f32\n"), Layout::Column),
      1u);
}

} // namespace

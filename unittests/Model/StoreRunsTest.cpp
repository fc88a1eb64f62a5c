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

/// Of access 1, in a loop over i = 1 ... 31 with this body that runs so many iterations at once.
unsigned together(const std::string &body, Layout layout,
                  const std::string &unrolling = "unroll 8") {
  const ir::Module module = ir::parsed(
      "func \"f\" kernel threads 256 mangled \"f\" {\n"
      "  array @b : f32[64] parameter instance reads writes of b in memory\n"
      "  array @c : f32[64] parameter instance const reads of c in memory\n"
      "  body(%n#0 : s64) scalar %n#0 n {\n"
      "    %1 = const 1 : s64\n    %2 = const 32 : s64\n    %3 = const 0.0 : f32\n"
      "    for %i#4 : s64 = %1 lt %2 step %1 " +
      unrolling + " () {\n" + body + "      yield\n    } -> %99 : s64\n    return\n  }\n}\n");
  const ir::Function &function = module.functions[0];
  RegionExecutions executions(function.regions.size(), {31, 0});
  executions[function.body.index] = {1, 0};
  return storesTogether(function, executions, layout).at(1).number;
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

} // namespace

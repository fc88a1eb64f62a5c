//===- ClearedArraysTest.cpp - What kernels set to zero -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ClearedArrays.h"
#include "Model/Sectors.h"

#include "IRText.h"

using namespace colonnade;
using namespace colonnade::model;

namespace {

ir::Module kernelOf(const std::string &body) {
  return ir::parsed(R"(func "f" kernel threads 256 mangled "f" {
  array @b : f32[n] parameter instance reads of b in memory
  array @t : f32[16] local instance reads writes in local
  body(%n#0 : s64) scalar %n#0 n {
    %1 = const 0 : s64
    %2 = const 1 : s64
    %3 = const 15 : s64
    %4 = const 16 : s64
    %5 = const 0.0 : f32
)" + body + R"(
    %90 = load @t[%1] access 8 : varying f32
    return
  }
}
)");
}

std::string loopTo(const std::string &end, const std::string &cell) {
  return "for %i#20 : s64 = %1 lt " + end + " step %2 () {\n%21 = add %i#20, %2 : s64\n" + cell +
         "yield\n} -> %22 : s64\n";
}

bool isClearedIn(const std::string &body) {
  const ir::Module module = kernelOf(body);
  return isCleared(module.functions[0], ArrayId(size_t(1)));
}

TEST(ClearedArrays, AreThoseThatTheKernelDoesNotSet) {
  const std::string first = "store @t[%1], %5 access 0\n";
  EXPECT_TRUE(isClearedIn(""));
  EXPECT_TRUE(isClearedIn(first));
  EXPECT_FALSE(isClearedIn(loopTo("%4", "store @t[%i#20], %5 access 1\n")));
  EXPECT_FALSE(isClearedIn(first + loopTo("%3", "store @t[%21], %5 access 1\n")));
  // All but one cell; as many as are not known; cells that are not.
  EXPECT_TRUE(isClearedIn(loopTo("%3", "store @t[%21], %5 access 1\n")));
  EXPECT_TRUE(isClearedIn(loopTo("%n#0", "store @t[%i#20], %5 access 1\n")));
  EXPECT_TRUE(isClearedIn(loopTo(
      "%4", "%23 = mul %i#20, %3 : s64\n%24 = rem %23, %4 : s64\nstore @t[%24], %5 access 1\n")));
  // A load before.
  EXPECT_TRUE(isClearedIn("%10 = load @t[%2] access 7 : varying f32\n" +
                          loopTo("%4", "store @t[%i#20], %5 access 1\n")));
}

/// A request for each word, four sectors of a full warp each.
TEST(ClearedArrays, AreStoresOfLocalMemory) {
  const ir::Module module = kernelOf("");
  const AccessProfile profile;
  const std::vector<ModelArray> arrays = {{100, false, 4}, {16, false, 4}};
  const BulkInput input{profile, arrays, 64};
  const std::vector<Traffic> all = clearing(module.functions[0], Layout::Column, input);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].isStore);
  EXPECT_EQ(all[0].space, ir::Space::Local);
  EXPECT_EQ(all[0].requests, 16u);
  EXPECT_EQ(all[0].sectors, 16u * 4 * 2);
  EXPECT_FALSE(all[0].op);
}

} // namespace

//===- GuardsTest.cpp - Which accesses are guarded ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

constexpr const char *Arrays = "array @a : f32[n] parameter instance const reads of a\n"
                               "array @b : f32[n] parameter instance reads writes of b";
constexpr const char *Start = "%k = cast %n : s64\n%null = const 0.0 : f32\n"
                              "%x = load @a[%cell] access 0 : f32\n%data = lt %x, %null : bool\n";
constexpr const char *StoreUnderData = "if %data {\nstore @b[%k], %x access 9\nyield\n} else {\n"
                                       "yield\n}";

bool isGuarded(const Function &kernel, uint32_t accessId) {
  for (const Op &op : kernel.ops)
    if (op.accessId == accessId)
      return op.guarded;
  ADD_FAILURE() << "no access " << accessId;
  return false;
}

/// Whether, behind `before`, a store to b[n] under a condition on data is guarded.
bool storeIsGuarded(const std::string &before) {
  return isGuarded(Lowered::of(Arrays, Start + before + StoreUnderData).threads, 9);
}

TEST(Guards, WhereOnlySomeInstancesGo) {
  EXPECT_TRUE(storeIsGuarded(""));
  Lowered all = Lowered::of(Arrays, std::string(Start) + "store @b[%k], %x access 9");
  EXPECT_FALSE(isGuarded(all.threads, 9));
  EXPECT_FALSE(isGuarded(all.lanes, 9));
}

TEST(Guards, NotWhereAllInstancesAccessedTheCell) {
  EXPECT_FALSE(storeIsGuarded("%y = load @b[%k] access 1 : f32\n"));
  EXPECT_TRUE(storeIsGuarded("%y = load @b[%cell] access 1 : f32\n")); // another cell
  EXPECT_TRUE(storeIsGuarded("%y = load @a[%k] access 1 : f32\n"));    // another array
}

TEST(Guards, AddressesAreComparedByValue) {
  const std::string add = "%m = add %n, %one : s32\n%l = cast %m : s64\n";
  const std::string access = "if %data {\n%m2 = add %n, %one : s32\n%l2 = cast %m2 : s64\n"
                             "store @b[%l2], %x access 8\nyield\n} else {\nyield\n}";
  auto guarded = [&](const std::string &first) {
    return isGuarded(Lowered::of(Arrays, Start + first + access).threads, 8);
  };
  EXPECT_FALSE(guarded(add + "store @b[%l], %x access 1\n"));
  EXPECT_TRUE(guarded("%m = sub %n, %one : s32\n%l = cast %m : s64\nstore @b[%l], %x access 1\n"));
}

TEST(Guards, BothArmsOfAUniformChoiceCover) {
  const std::string then = "if %flag {\nstore @b[%k], %x access 1\nyield\n} else {\n";
  EXPECT_FALSE(storeIsGuarded(then + "store @b[%k], %null access 2\nyield\n}\n"));
  EXPECT_TRUE(storeIsGuarded(then + "yield\n}\n"));
}

TEST(Guards, LoopsMayRunNoIteration) {
  EXPECT_TRUE(storeIsGuarded("for %i : s32 = %zero lt %n step %one () {\n"
                             "store @b[%k], %x access 1\nyield\n} -> %e : s32\n"));
}

TEST(Guards, NotAtConstantCellsWithin) {
  auto guarded = [](const char *extent) {
    const std::string arrays = "array @a : f32[n] parameter instance const reads of a\n"
                               "array @b : f32[" +
                               std::string(extent) + "] parameter instance writes of b";
    Lowered f =
        Lowered::of(arrays, std::string(Start) + "%next = const 1 : s64\n"
                                                 "store @b[%k], %x access 4\n"
                                                 "if %data {\nstore @b[%next], %x access 9\n"
                                                 "yield\n} else {\nyield\n}");
    return isGuarded(f.threads, 9);
  };
  EXPECT_FALSE(guarded("2"));
  EXPECT_TRUE(guarded("n"));
}

TEST(Guards, AllWhereAddressesComeOutOfAnArray) {
  Lowered f = Lowered::of("array @p : s64[n] parameter uniform const reads of p\n"
                          "array @b : f32[n] parameter instance reads writes of b",
                          "%k = load @p[%cell] access 0 : s64\n%x = load @b[%k] access 1 : f32\n"
                          "store @b[%k], %x access 2");
  EXPECT_TRUE(f.verdict.addresses.needData);
  for (uint32_t access : {0, 1, 2}) {
    EXPECT_TRUE(isGuarded(f.threads, access));
    EXPECT_TRUE(isGuarded(f.lanes, access));
  }
}

TEST(Guards, MaskedAccessesOfLanes) {
  Lowered f = Lowered::of(Arrays, std::string(Start) + StoreUnderData);
  EXPECT_TRUE(isGuarded(f.lanes, 9));
  EXPECT_FALSE(isGuarded(f.lanes, 0));
}

} // namespace

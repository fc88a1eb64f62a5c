//===- UnrollTest.cpp - How far loops are unrolled ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

using Kind = Unrolling::Kind;

/// The unrolling of `for (i = 0; i < HIGH; ++i) BODY` in a kernel of threads.
Unrolling unrollingOf(const std::string &body, const std::string &high = "%n") {
  Lowered f =
      Lowered::of("array @a : s32[8] parameter instance reads writes of a",
                  "%eight = const 8 : s32\nfor %i : s32 = %zero lt " + high +
                      " step %one () {\n%k = cast %i : s64\n" + body + "\nyield\n} -> %last : s32");
  for (const Op &op : f.lanes.ops)
    EXPECT_EQ(op.unrolling.kind, Kind::None);
  for (const Op &op : f.threads.ops)
    if (op.opcode == Opcode::For)
      return op.unrolling;
  return {};
}

std::string additions(unsigned number) {
  std::string text = "%x0 = load @a[%k] : s32\n";
  for (unsigned i = 1; i <= number; ++i)
    text += "%x" + std::to_string(i) + " = add %x" + std::to_string(i - 1) + ", %n : s32\n";
  return text + "store @a[%k], %x" + std::to_string(number);
}

TEST(Unroll, ShortLoopsThatLoadByEight) {
  Unrolling unrolling = unrollingOf(additions(1));
  EXPECT_EQ(unrolling.kind, Kind::Times);
  EXPECT_EQ(unrolling.times, 8);
}

TEST(Unroll, NotLongOnesAndNotWithoutALoad) {
  EXPECT_EQ(unrollingOf(additions(20)).kind, Kind::Times); // with cast, load, store, yield: 24
  EXPECT_EQ(unrollingOf(additions(21)).kind, Kind::None);
  EXPECT_EQ(unrollingOf("store @a[%k], %n").kind, Kind::None);
}

TEST(Unroll, OnlyTheInnermostLoop) {
  EXPECT_EQ(unrollingOf("%x = load @a[%k] : s32\nfor %j : s32 = %zero lt %n step %one () {\n"
                        "store @a[%k], %x\nyield\n} -> %e : s32")
                .kind,
            Kind::None);
}

/// Blocks for which a multiprocessor has registers: of a loop over memory a, b, and four cells c.
unsigned residentWith(const std::string &body) {
  Lowered f = Lowered::of("array @a : s32[n] parameter instance reads writes of a\n"
                          "array @b : s32[n] parameter instance reads writes of b\n"
                          "array @c : s32[4] parameter instance reads writes of c",
                          "for %i : s32 = %zero lt %n step %one () {\n%k = cast %i : s64\n" + body +
                              "\nyield\n} -> %last : s32");
  return std::get<ThreadShape>(*f.threads.launch).resident;
}

TEST(Unroll, RoomForTwoBlocksWhereLoadsRunAhead) {
  const std::string load = "%x = load @a[%k] : s32\n";
  EXPECT_EQ(residentWith(load), 2u);
  EXPECT_EQ(residentWith(load + "store @b[%k], %x"), 2u);
  EXPECT_EQ(residentWith(load + "store @a[%k], %x"), 1u);
  EXPECT_EQ(residentWith(load + "if %flag {\nstore @a[%k], %x\nyield\n} else {\nyield\n}"), 1u);
  EXPECT_EQ(residentWith("store @b[%k], %n"), 1u);
  EXPECT_EQ(residentWith(load + "store @c[%cell], %x"), 1u); // c is in registers
}

TEST(Unroll, FullyWhereItMakesRegisters) {
  EXPECT_EQ(unrollingOf(additions(1), "%eight").kind, Kind::Fully);
  EXPECT_EQ(unrollingOf("store @a[%k], %n", "%eight").kind, Kind::Fully);
}

} // namespace

//===- LaneTypesTest.cpp - Types, widths and operations of lanes ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// b[0] = the low byte of `body`'s %r, from bytes %x and %y.
Lowered bytes(const std::string &body) {
  return Lowered::of("array @a : u8[2] parameter instance const reads of a\n"
                     "array @b : u8[2] parameter instance writes of b",
                     "%next = const 1 : s64\n%five = const 5 : s32\n"
                     "%x8 = load @a[%cell] access 0 : u8\n%y8 = load @a[%next] access 1 : u8\n"
                     "%x = cast %x8 : s32\n%y = cast %y8 : s32\n" +
                         body + "\n%r8 = cast %r : u8\nstore @b[%cell], %r8 access 2");
}

unsigned laneBytes(const Function &kernel) { return std::get<LaneShape>(*kernel.launch).bytes; }

TEST(LaneTypes, LowBitsOfASumNeedLowBits) {
  Function kernel = bytes("%r = add %x, %y : s32").lanes;
  EXPECT_EQ(sizeBytes(kernel.value(valueNamed(kernel, "r")).type), 1u);
  EXPECT_EQ(laneBytes(kernel), 1u);
}

TEST(LaneTypes, AQuotientNeedsTheWholeSum) {
  Function kernel = bytes("%sum = add %x, %y : s32\n%r = div %sum, %five : s32").lanes;
  EXPECT_EQ(kernel.value(valueNamed(kernel, "sum")).type, ScalarType::S16); // at most 510
}

TEST(LaneTypes, UnknownRangesStay) {
  Lowered f = Lowered::of("array @a : s32[1] parameter instance const reads of a\n"
                          "array @b : s32[1] parameter instance writes of b",
                          "%x = load @a[%cell] access 0 : s32\n%r = add %x, %x : s32\n"
                          "store @b[%cell], %r access 1");
  EXPECT_EQ(f.lanes.value(valueNamed(f.lanes, "r")).type, ScalarType::S32);
  EXPECT_EQ(laneBytes(f.lanes), 4u);
  EXPECT_EQ(f.threads.value(valueNamed(f.threads, "r")).type, ScalarType::S32);
}

/// b[0] = (u64)x * `factor`, or x / `divisor` on words.
Lowered words(const std::string &body, const std::string &type) {
  return Lowered::of("array @a : " + type +
                         "[1] parameter instance const reads of a\n"
                         "array @b : u64[1] parameter instance writes of b",
                     "%x = load @a[%cell] access 0 : " + type + "\n" + body +
                         "\n%w = cast %r : u64\nstore @b[%cell], %w access 1");
}

TEST(LaneOperations, ProductsOfHalves) {
  Lowered halves = words("%y = cast %x : u64\n%r = mul %y, %y : u64", "u32");
  EXPECT_EQ(count(halves.lanes, Opcode::MulLowHalves), 1u);
  EXPECT_EQ(count(halves.threads, Opcode::MulLowHalves), 0u);
  Lowered whole = words("%r = mul %x, %x : u64", "u64");
  EXPECT_EQ(count(whole.lanes, Opcode::MulLowHalves), 0u);
  EXPECT_EQ(count(whole.lanes, Opcode::Mul), 1u);
}

unsigned constantDivisions(const std::string &divisor, const std::string &type) {
  Lowered f = words("%d = const " + divisor + " : " + type + "\n%q = div %x, %d : " + type +
                        "\n%m = rem %x, %d : " + type + "\n%r = add %q, %m : " + type,
                    type);
  return count(f.lanes, Opcode::DivConstant) + count(f.lanes, Opcode::RemConstant);
}

TEST(LaneOperations, DivisionByAConstant) {
  EXPECT_EQ(constantDivisions("10", "s32"), 2u);
  EXPECT_EQ(constantDivisions("-10", "s32"), 2u);
  EXPECT_EQ(constantDivisions("10", "u32"), 2u);
  EXPECT_EQ(constantDivisions("10", "u64"), 0u);
  EXPECT_EQ(constantDivisions("-1", "s32"), 0u);
  EXPECT_EQ(constantDivisions("1", "u32"), 0u);
}

} // namespace

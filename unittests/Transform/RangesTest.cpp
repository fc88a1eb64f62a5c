//===- RangesTest.cpp - Ranges and demanded bits --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include "Transform/Lanes/DemandedBits.h"
#include "Transform/Lanes/ValueRange.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

const char *const Text = R"(
func "f" canonical {
  array @a : u8[9] parameter instance const reads of a
  array @b : u8[9] parameter instance writes of b
  array @l : s32[2] local instance reads writes
  body(%n : s32) scalar %n n {
    %zero = const 0 : s32
    %one = const 1 : s32
    %nine = const 9 : s32
    %cell = const 0 : s64
    for %i : s32 = %zero lt %nine step %one (%sum : s32 = %zero) {
      %k = cast %i : s64
      %x8 = load @a[%k] access 0 : u8
      %x = cast %x8 : s32
      %next = add %sum, %x : s32
      yield %next
    } -> %last : s32, %total : s32
    store @l[%cell], %total access 1
    %again = load @l[%cell] access 2 : s32
    for %j : s32 = %zero lt %n step %one (%h : s32 = %one) {
      %g = add %h, %again : s32
      yield %g
    } -> %end : s32, %hash : s32
    %positive = gt %n, %zero : bool
    %some = select %positive, %n, %one : s32
    %low = cast %hash : u8
    store @b[%cell], %low access 3
    %half = div %some, %nine : s32
    %byte = cast %half : u8
    store @b[%cell], %byte access 4
    return
  }
})";

std::pair<int64_t, int64_t> rangeOf(const ValueRanges &ranges, const Function &f,
                                    const char *name) {
  llvm::ConstantRange range = ranges.of(valueNamed(f, name));
  return {range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue()};
}

TEST(ValueRanges, FollowLoopsOfFewIterations) {
  Module module = parsed(Text);
  const Function &f = module.functions[0];
  ValueRanges ranges(f);
  EXPECT_EQ(rangeOf(ranges, f, "x"), std::pair(int64_t(0), int64_t(255)));
  EXPECT_EQ(rangeOf(ranges, f, "total").second, 9 * 255);
  EXPECT_EQ(rangeOf(ranges, f, "again").second, 9 * 255); // through the local array
}

TEST(ValueRanges, UnknownIterationsAreUnknown) {
  Module module = parsed(Text);
  const Function &f = module.functions[0];
  ValueRanges ranges(f);
  EXPECT_TRUE(ranges.of(valueNamed(f, "hash")).isFullSet());
  EXPECT_TRUE(ranges.of(valueNamed(f, "n")).isFullSet());
  EXPECT_EQ(rangeOf(ranges, f, "some").first, 1); // by the condition
}

TEST(DemandedBits, OnlyWhatIsStored) {
  Module module = parsed(Text);
  const Function &f = module.functions[0];
  std::vector<unsigned> bits = demandedBits(f);
  auto of = [&](const char *name) { return bits[valueNamed(f, name).index]; };
  EXPECT_EQ(of("hash"), 8u);
  EXPECT_EQ(of("g"), 8u);
  EXPECT_EQ(of("some"), 32u); // is divided
  EXPECT_EQ(of("last"), 0u);  // is never used
}

} // namespace

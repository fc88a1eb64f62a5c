//===- PredicationTest.cpp - Divergent control becomes masks --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include "IR/Interpreter.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

constexpr const char *IntegerArrays = "array @a : s32[n] parameter instance const reads of a\n"
                                      "array @b : s32[n] parameter instance reads writes of b";
constexpr const char *IntegerStart = "%k = cast %n : s64\n%x = load @a[%cell] access 0 : s32\n"
                                     "%data = lt %x, %zero : bool\n";

std::string choice(const std::string &condition, const std::string &then) {
  return "if " + condition + " {\n" + then + "\nyield %y\n} else {\nyield %x\n} -> %z : s32\n" +
         "store @b[%cell], %z access 5";
}

TEST(Predication, DivergentChoiceBecomesABlend) {
  Lowered f = Lowered::of(IntegerArrays, IntegerStart + choice("%data", "%y = add %x, %one : s32"));
  EXPECT_EQ(count(f.lanes, Opcode::If), 0u); // cheap and without risk: no jump
  EXPECT_EQ(count(f.lanes, Opcode::Blend), 1u);
  EXPECT_EQ(count(f.threads, Opcode::If), 1u); // threads branch
  EXPECT_EQ(count(f.threads, Opcode::Blend), 0u);
  EXPECT_TRUE(f.lanes.varying(valueNamed(f.lanes, "data")));
}

TEST(Predication, UniformChoiceStays) {
  Lowered f = Lowered::of(IntegerArrays, IntegerStart + choice("%flag", "%y = add %x, %one : s32"));
  EXPECT_EQ(count(f.lanes, Opcode::If), 1u);
  EXPECT_EQ(count(f.lanes, Opcode::Blend), 0u);
}

unsigned branchesAround(const std::string &before) {
  Lowered f =
      Lowered::of(IntegerArrays, IntegerStart + before +
                                     "if %data {\nstore @b[%k], %x access 9\nyield\n} else {\n"
                                     "yield\n}");
  for (const Op &op : f.lanes.ops)
    if (op.accessId == 9) {
      EXPECT_TRUE(op.masked);
    }
  return count(f.lanes, Opcode::AnyLane);
}

TEST(Predication, AnArmWithoutRiskRunsAnyway) {
  EXPECT_EQ(branchesAround("%y = load @b[%k] access 1 : s32\n"), 0u);
  EXPECT_EQ(branchesAround(""), 1u); // nobody has shown that b[n] exists
}

TEST(Predication, InactiveLanesDoNotDivideByZero) {
  const std::string divide = "%y = div %one, %x : s32";
  Lowered masked = Lowered::of(IntegerArrays, IntegerStart + choice("%data", divide));
  Lowered all =
      Lowered::of(IntegerArrays, IntegerStart + divide + "\nstore @b[%cell], %y access 5");
  auto divisorIsBlended = [](const Function &kernel) {
    for (const Op &op : kernel.ops)
      if (op.opcode == Opcode::Div)
        return kernel.definition(op.operands[1])->opcode == Opcode::Blend;
    ADD_FAILURE() << "no division";
    return false;
  };
  EXPECT_TRUE(divisorIsBlended(masked.lanes));
  EXPECT_FALSE(divisorIsBlended(all.lanes));
}

/// `for (i = 0; i < n; ++i) { if (x > 1) leave; x = 3 * x; }`, then `after`.
Function leavingLoop(const std::string &after) {
  return Lowered::of(IntegerArrays,
                     IntegerStart +
                         std::string("%three = const 3 : s32\n%stop = const false : bool\n"
                                     "%go = const true : bool\n"
                                     "for %i : s32 = %zero lt %n step %one continue "
                                     "(%v : s32 = %x) {\n%big = gt %v, %one : bool\n"
                                     "if %big {\nyield %stop, %v\n} else {\n"
                                     "%w = mul %v, %three : s32\nyield %go, %w\n"
                                     "} -> %goes : bool, %next : s32\n"
                                     "yield %goes, %next\n} -> %e : s32, %r : s32\n") +
                         after)
      .lanes;
}

unsigned blendsOfWords(const Function &kernel) {
  unsigned number = 0;
  for (const Op &op : kernel.ops)
    number += op.opcode == Opcode::Blend && kernel.value(op.results[0]).type != ScalarType::Bool;
  return number;
}

TEST(Predication, LanesLeaveOneByOne) {
  Function kernel = leavingLoop("store @b[%cell], %e access 5");
  EXPECT_EQ(kernel.value(valueNamed(kernel, "live")).varying, true);
  EXPECT_EQ(count(kernel, Opcode::AnyLane), 1u);
  EXPECT_EQ(count(kernel, Opcode::For), 1u);
}

TEST(Predication, WhatNobodyReadsNeedsNoBlend) {
  unsigned counterOnly = blendsOfWords(leavingLoop("store @b[%cell], %e access 5"));
  unsigned both = blendsOfWords(leavingLoop("%s = add %e, %r : s32\nstore @b[%cell], %s access 5"));
  EXPECT_EQ(both, counterOnly + 2); // the arms' values, and what lanes left with
}

TEST(Predication, DivergentLoopKeepsWhatLeftLanesHave) {
  Lowered f(irSample("leaving_lanes"));
  const Function &function = f.module.functions[0];
  for (uint64_t start : {1, 6, 7, 27, 97, 255}) {
    std::vector<ArrayData> expected(2), found(2);
    expected[0].cells = found[0].cells = {start};
    expected[1].cells = found[1].cells = {0, 0};
    Scalar limit{ScalarType::S32, 40}; // some starts leave by the test, some by the flag
    ASSERT_FALSE(bool(interpret(f.module, function, expected, limit)));
    ASSERT_FALSE(bool(interpret(f.module, f.lanes, found, limit)));
    EXPECT_EQ(expected[1].cells, found[1].cells) << start;
  }
}

} // namespace

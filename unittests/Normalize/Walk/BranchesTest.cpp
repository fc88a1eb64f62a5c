//===- BranchesTest.cpp - Ifs, and what variables are after them --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

namespace colonnade::canonical {
namespace {

struct BranchesTest : MemorySample {
  AbstractValue branch(ValueId cond, Branches::Body then, Branches::Body otherwise) {
    return memory.branches.branch(cond, then, otherwise);
  }
  AbstractValue set(SlotId id, AbstractValue v) {
    memory.slots.write(id, v);
    return {};
  }
  static AbstractValue nothing() { return {}; }
  SlotId x = slot(variable("x", s32));
  AbstractValue one = {fold.constantInt(ScalarType::S32, 1)};
  AbstractValue two = {fold.constantInt(ScalarType::S32, 2)};
};

TEST_F(BranchesTest, AKnownConditionMakesNoIf) {
  branch(fold.constantBool(true), [&] { return set(x, one); }, [&] { return set(x, two); });
  EXPECT_EQ(memory.slots.read(x), one);
  EXPECT_TRUE(opcodes().empty());
}

TEST_F(BranchesTest, AnArmKnowsItsCondition) {
  std::optional<bool> then, otherwise;
  branch(
      flag, [&] { return then = fold.known(flag), nothing(); },
      [&] { return otherwise = fold.known(flag), nothing(); });
  EXPECT_EQ(then, true);
  EXPECT_EQ(otherwise, false);
  EXPECT_EQ(fold.known(flag), std::nullopt);
}

TEST_F(BranchesTest, WhatDiffersIsAResult) {
  SlotId y = slot(variable("y", s32));
  set(x, one), set(y, one);
  branch(flag, [&] { return set(x, two), set(y, one); }, nothing);
  ASSERT_EQ(opcodes(), std::vector<Opcode>{Opcode::If});
  const ir::Op &made = last();
  ASSERT_EQ(made.results.size(), 1u);
  EXPECT_EQ(out.value(made.results[0]).name, "x");
  EXPECT_EQ(memory.slots.read(x).scalar, made.results[0]);
  EXPECT_EQ(out.terminator(made.regions[0]).operands[0], two.scalar);
  EXPECT_EQ(out.terminator(made.regions[1]).operands[0], one.scalar);
  EXPECT_EQ(memory.slots.read(y), one);
}

TEST_F(BranchesTest, TheOtherArmStartsWithWhatWasBefore) {
  set(x, one);
  AbstractValue seen;
  branch(flag, [&] { return set(x, two); }, [&] { return seen = memory.slots.read(x), nothing(); });
  EXPECT_EQ(seen, one);
}

TEST_F(BranchesTest, AnIfWithoutEffectGoes) {
  branch(flag, [&] { return set(x, one); }, [&] { return set(x, one); });
  EXPECT_TRUE(opcodes().empty());
  EXPECT_EQ(memory.slots.read(x), one);
}

TEST_F(BranchesTest, TrueAndFalseAreTheCondition) {
  SlotId b = slot(variable("b", scalarType(ScalarType::Bool)));
  AbstractValue yes = {fold.constantBool(true)}, no = {fold.constantBool(false)};
  branch(flag, [&] { return set(b, yes); }, [&] { return set(b, no); });
  EXPECT_EQ(memory.slots.read(b).scalar, flag);
  EXPECT_TRUE(opcodes().empty());
}

TEST_F(BranchesTest, VariablesOfAnArmAreNotJoined) {
  branch(
      flag,
      [&] {
        SlotId inner = slot(variable("inner", s32));
        memory.slots.create(inner);
        return set(inner, one);
      },
      nothing);
  EXPECT_TRUE(opcodes().empty());
}

TEST_F(BranchesTest, PointersToTwoObjectsAreASelection) {
  RootId a = pointee("a", f32), b = pointee("b", f32);
  AbstractValue v = branch(flag, [&] { return pointer(a, n); }, [&] { return pointer(b, n); });
  ASSERT_TRUE(v.isPointer());
  EXPECT_EQ(memory.pointers[v].places.size(), 2u);
  EXPECT_EQ(memory.pointers[v].selector, last().results[0]);
}

} // namespace
} // namespace colonnade::canonical

//===- SlotsTest.cpp - Variables and the values they have here ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

namespace colonnade::canonical {
namespace {

struct SlotsTest : MemorySample {
  Slots &slots = memory.slots;
  AbstractValue number(int64_t value) { return {fold.constantInt(ScalarType::S32, value)}; }
};

TEST_F(SlotsTest, UndoGivesBackEveryValue) {
  SlotId x = slot(variable("x", s32)), y = slot(variable("y", s32));
  slots.write(x, number(1));
  Slots::Mark mark = slots.mark();
  slots.write(x, number(2));
  slots.write(y, number(3));
  slots.write(x, number(4));
  EXPECT_EQ(slots.read(x), number(4));
  slots.undo(mark);
  EXPECT_EQ(slots.read(x), number(1));
  EXPECT_FALSE(slots[y].value.isSet());
}

TEST_F(SlotsTest, WrittenSinceIsTheLastValueOfWhatExisted) {
  SlotId x = slot(variable("x", s32)), y = slot(variable("y", s32));
  slots.write(y, number(1));
  Slots::Mark mark = slots.mark();
  slots.write(x, number(2));
  slots.write(x, number(3));
  SlotId inner = slot(variable("inner", s32));
  slots.create(inner);
  slots.write(inner, number(4));
  EXPECT_EQ(slots.writtenSince(mark), (Slots::Values{{x, number(3)}}));
}

TEST_F(SlotsTest, AVariableThatIsCreatedAgainStartsAnew) {
  SlotId x = slot(variable("x", s32));
  slots.write(x, number(1));
  Slots::Mark mark = slots.mark();
  slots.create(x);
  EXPECT_FALSE(slots[x].value.isSet());
  EXPECT_TRUE(slots.writtenSince(mark).empty());
  slots.undo(mark);
  EXPECT_EQ(slots.read(x), number(1));
}

TEST_F(SlotsTest, WhatWasNeverWrittenIsUndefinedUnderItsName) {
  const ir::Op *undef = out.definition(slots.read(slot(variable("x", s32))).scalar);
  ASSERT_TRUE(undef && undef->opcode == Opcode::Undef);
  EXPECT_EQ(out.value(undef->results[0]).name, "x");
  EXPECT_EQ(slots.read(slot(root("%flag", LocalVariable{false, true}, s32))), number(0));
  AbstractValue p = slots.read(slot(variable("p", toF32)));
  ASSERT_TRUE(p.isPointer());
  EXPECT_FALSE(memory.pointers[p].isKnown());
}

} // namespace
} // namespace colonnade::canonical

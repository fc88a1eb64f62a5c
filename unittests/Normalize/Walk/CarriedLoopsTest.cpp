//===- CarriedLoopsTest.cpp - Loops, and the variables carried around them ===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

#include "Normalize/Walk/CarriedLoops.h"

namespace colonnade::canonical {
namespace {

struct CarriedLoopsTest : MemorySample {
  using Part = CarriedLoops::Part;
  SlotId i = slot(variable("i", s32));
  CarriedLoops loops{fold, memory.slots, memory.joins, memory.branches};
  LoopPlan plan;
  unsigned walks = 0;

  CarriedLoopsTest() { memory.slots.write(i, {number(0)}); }
  ValueId number(int64_t value) { return fold.constantInt(ScalarType::S32, value); }
  ValueId always() { return fold.constantBool(true); }
  /// while (i < 8) ++i;
  ValueId count(Part part) {
    ValueId old = memory.slots.read(i).scalar;
    if (part == Part::Test)
      return fold.binary(Opcode::Lt, old, number(8));
    ++walks;
    memory.slots.write(i, {fold.binary(Opcode::Add, old, number(1))});
    return always();
  }
};

TEST_F(CarriedLoopsTest, ThePlanGrowsByWhatTheBodyWrites) {
  loops.loop(plan, [&](Part part) { return count(part); }, std::nullopt);
  EXPECT_EQ(walks, 2u); // without i in the plan, and with it
  ASSERT_EQ(opcodes(), std::vector<Opcode>{Opcode::Loop});
  const ir::Op &loop = last();
  ASSERT_EQ(loop.operands.size(), 1u);
  EXPECT_EQ(loop.operands[0], number(0));
  EXPECT_EQ(memory.slots.read(i).scalar, loop.results[0]);
  EXPECT_EQ(out.value(loop.results[0]).name, "i");
  ValueId next = out.terminator(loop.regions[1]).operands[1];
  EXPECT_EQ(out.definition(next)->operands[0], out.region(loop.regions[1]).args[0]);
}

TEST_F(CarriedLoopsTest, APlanThatHoldsIsWalkedOnce) {
  plan.carried[i];
  loops.loop(plan, [&](Part part) { return count(part); }, std::nullopt);
  EXPECT_EQ(walks, 1u);
}

TEST_F(CarriedLoopsTest, ALoopThatRunsOnceIsItsBody) {
  loops.loop(
      plan,
      [&](Part part) {
        return part == Part::Test ? always() : (count(part), fold.constantBool(false));
      },
      std::nullopt);
  EXPECT_EQ(plan.once, LoopPlan::Once::Expected);
  EXPECT_EQ(memory.slots.read(i).scalar, number(1));
  for (Opcode opcode : opcodes())
    EXPECT_NE(opcode, Opcode::Loop);
}

// What an attempt that was given up has found may be false in the next one.
TEST_F(CarriedLoopsTest, ALoopThatWasExpectedToRunOnceIsALoopWhereItMayNot) {
  plan.once = LoopPlan::Once::Expected;
  loops.loop(plan, [&](Part part) { return count(part); }, std::nullopt);
  EXPECT_EQ(plan.once, LoopPlan::Once::Refuted);
  ASSERT_EQ(opcodes(), std::vector<Opcode>{Opcode::Loop});
  EXPECT_EQ(last().operands[0], number(0));
  EXPECT_EQ(memory.slots.read(i).scalar, last().results[0]);
}

TEST_F(CarriedLoopsTest, AStatedBoundGivesAForThatChecksIt) {
  LoopBound bound = {n, "n", "--bound 3=8"};
  loops.loop(plan, [&](Part part) { return count(part); }, bound);
  const ir::Op &loop = last();
  ASSERT_EQ(loop.opcode, Opcode::For);
  EXPECT_TRUE(loop.hasContinueFlag);
  EXPECT_EQ(loop.predicate, ir::Predicate::Le);
  std::vector<std::string> checks;
  for (OpId id : out.region(loop.regions[0]).ops)
    if (out.op(id).opcode == Opcode::Check)
      checks.push_back(out.op(id).text);
  EXPECT_EQ(checks, std::vector<std::string>{
                        "the loop runs more than 'n' iterations: state more, such as --bound 3=8"});
  EXPECT_EQ(memory.slots.read(i).scalar, loop.results[1]);
}

TEST_F(CarriedLoopsTest, APointerThatMovesIsItsSubscript) {
  RootId a = pointee("a", f32);
  SlotId p = slot(variable("p", toF32));
  memory.slots.write(p, pointer(a, fold.index(0)));
  loops.loop(
      plan,
      [&](Part part) {
        if (part == Part::Test)
          return flag;
        const Place old = placeOf(memory.slots.read(p));
        ValueId next = fold.binary(Opcode::Add, old.digits[0].subscript, fold.index(1));
        memory.slots.write(p, pointer(a, next));
        return always();
      },
      std::nullopt);
  const ir::Op &loop = last();
  ASSERT_EQ(loop.operands.size(), 1u);
  EXPECT_EQ(loop.operands[0], fold.index(0));
  EXPECT_EQ(placeOf(memory.slots.read(p)).digits[0].subscript, loop.results[0]);
}

} // namespace
} // namespace colonnade::canonical

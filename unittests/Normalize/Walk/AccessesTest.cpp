//===- AccessesTest.cpp - Loads, stores and memory copies through pointers ===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

#include "Normalize/Walk/MemoryCopies.h"

namespace colonnade::canonical {
namespace {

struct AccessesTest : MemorySample {
  Decisions decisions;
  PointerArithmetic arithmetic{fold, tree, memory.pointers, [](NodeId, MemTypeId) {},
                               [](NodeId, MemTypeId) {}};
  Accesses accesses{memory, arithmetic, decisions};
  MemoryCopies copies{memory, arithmetic, accesses};
  ValueId zero = fold.index(0), one = fold.index(1);
  AbstractValue half = {fold.constant(ir::makeFloat(ScalarType::F32, 0.5))};

  size_t count(Opcode opcode) {
    size_t found = 0;
    for (const ir::Region &region : out.regions)
      for (OpId id : region.ops)
        found += out.op(id).opcode == opcode;
    return found;
  }
  AbstractValue cell(RootId row, ValueId subscript) {
    return pointer(place(tree.element(top(row)), {zero, subscript}));
  }
};

TEST_F(AccessesTest, AVariableIsItsValue) {
  RootId x = variable("x", f32);
  accesses.store(pointer(x, zero), half, f32);
  EXPECT_EQ(accesses.load(pointer(x, zero), f32), half);
  EXPECT_TRUE(opcodes().empty());
}

TEST_F(AccessesTest, AnArrayHasOneSubscriptPerDimension) {
  RootId m = pointee("m", image);
  NodeId leaf = tree.element(tree.element(top(m)));
  accesses.store(pointer(place(leaf, {n, one, zero})), half, f32);
  ASSERT_EQ(opcodes(), std::vector<Opcode>{Opcode::Store});
  ir::AccessOperands at = ir::accessOperands(last());
  EXPECT_EQ(at.subscripts.vec(), (std::vector<ValueId>{n, one, zero}));
  EXPECT_EQ(at.radices.vec(), (std::vector<ValueId>{fold.index(3), fold.index(4)}));
  EXPECT_EQ(at.stored, half.scalar);
  EXPECT_EQ(tree.root(m).as<Pointee>()->use, Pointee::Use::Written);
}

TEST_F(AccessesTest, ALocalArrayHasNoElementDigit) {
  RootId t = variable("t", row);
  accesses.load(cell(t, n), f32);
  EXPECT_EQ(ir::accessOperands(last()).subscripts.vec(), std::vector<ValueId>{n});
}

TEST_F(AccessesTest, APromotedArrayIsChosenFrom) {
  RootId t = variable("t", row, true);
  accesses.store(cell(t, one), half, f32);
  EXPECT_EQ(accesses.load(cell(t, one), f32), half);
  EXPECT_TRUE(opcodes().empty());
  for (int64_t i : {0, 2, 3})
    accesses.store(cell(t, fold.index(i)),
                   {fold.constant(ir::makeFloat(ScalarType::F32, double(i)))}, f32);
  accesses.load(cell(t, n), f32);
  EXPECT_EQ(count(Opcode::If), 3u);
  EXPECT_TRUE(last().choosesAddress);
  EXPECT_EQ(count(Opcode::Load), 0u);
}

TEST_F(AccessesTest, ASelectedPointerIsAnIfThatChoosesTheAddress) {
  Pointer either;
  either.places = {place(top(pointee("a", f32)), {n}), place(top(pointee("b", f32)), {n})};
  either.selector = fold.addArg(out.body, ScalarType::S32, "which");
  accesses.load(memory.pointers.add(either), f32);
  ASSERT_EQ(last().opcode, Opcode::If);
  EXPECT_TRUE(last().choosesAddress);
  EXPECT_EQ(count(Opcode::Load), 2u);
}

TEST_F(AccessesTest, ViewsOfOneWidthAreConversions) {
  RootId a = pointee("a", s32);
  AbstractValue bits = accesses.load(pointer(a, n), f32);
  EXPECT_EQ(out.definition(bits.scalar)->opcode, Opcode::Bitcast);
  accesses.load(pointer(a, n), scalarType(ScalarType::U8));
  EXPECT_EQ(unsupported(),
            std::vector<std::string>{"access to 'a' at another width than its cells (access whole "
                                     "cells, and shift and mask them)"});
}

TEST_F(AccessesTest, AViewOfSeveralCellsReadsAndWritesEach) {
  RootId a = pointee("a", scalarType(ScalarType::U8));
  AbstractValue bits = accesses.load(pointer(a, n), f32);
  EXPECT_EQ(out.value(bits.scalar).type, ScalarType::F32);
  EXPECT_EQ(count(Opcode::Load), 4u);
  accesses.store(pointer(a, n), bits, f32);
  EXPECT_EQ(count(Opcode::Store), 4u);
  RootId t = variable("t", row, true); // f32[4], whose cells are slots
  MemTypeId wide = scalarType(ScalarType::U64);
  uint64_t one = 0x3f800000, two = 0x40000000;
  accesses.store(cell(t, zero), {fold.constant({ScalarType::U64, two << 32 | one})}, wide);
  EXPECT_EQ(accesses.load(cell(t, this->one), f32).scalar, fold.constant({ScalarType::F32, two}));
  EXPECT_EQ(accesses.load(cell(t, zero), wide).scalar,
            fold.constant({ScalarType::U64, two << 32 | one}));
  EXPECT_TRUE(unsupported().empty());
}

TEST_F(AccessesTest, BytesAreCopiedInUnitsOfTheWiderCells) {
  MemTypeId u8 = scalarType(ScalarType::U8);
  AbstractValue bytes = pointer(pointee("b", u8), n), words = pointer(pointee("w", s32), zero);
  copies.copy(words, bytes, fold.index(8), u8, ir::BytesApart);
  EXPECT_EQ(opcodes(), std::vector<Opcode>{Opcode::For});
  EXPECT_EQ(count(Opcode::Load), 4u);
  EXPECT_EQ(count(Opcode::Store), 1u);
  copies.copy(words, bytes, n, u8, ir::BytesApart); // a multiple of 4, which is checked
  EXPECT_EQ(count(Opcode::Check), 1u);
  copies.copy(words, bytes, fold.index(7), u8, ir::BytesApart);
  EXPECT_EQ(unsupported(),
            std::vector<std::string>{"a memory copy of parts of cells of 'w' or 'b'"});
}

TEST_F(AccessesTest, AddressesThatAreNotKnown) {
  accesses.load({}, f32);
  accesses.load(memory.pointers.unknown(), f32);
  accesses.store(memory.pointers.null(), half, f32);
  EXPECT_EQ(unsupported(),
            (std::vector<std::string>{"access through an uninitialised pointer",
                                      "access through a pointer that is not known at compile time",
                                      "access through a null pointer"}));
}

TEST_F(AccessesTest, AStoreToAPassedStructNeedsACopyOfIt) {
  RootId s = root("s", StructParameter{"s", {}}, pair);
  NodeId leaf = tree.element(tree.child(top(s), 1));
  giveArray(leaf, ir::ArrayRole::Parameter);
  accesses.load(pointer(place(leaf, {zero, n})), f32);
  EXPECT_FALSE(decisions.added());
  accesses.store(pointer(place(leaf, {zero, n})), half, f32);
  ASSERT_TRUE(decisions.added());
  EXPECT_EQ(decisions.added()->what, "the function's own copy of 's.v'");
  EXPECT_TRUE(decisions.isPrivateCopy("s.v"));
  decisions.startWalk();
  accesses.store(pointer(place(leaf, {zero, n})), half, f32);
  EXPECT_FALSE(decisions.added()); // known already
}

TEST_F(AccessesTest, ACopyIsALoopForEachLeaf) {
  MemTypeId points = [&] {
    ir::MemType type;
    type.kind = ir::MemType::Kind::Struct;
    type.name = "Point";
    type.fields = {{"x", f32}, {"y", f32}};
    return add(type);
  }();
  RootId a = pointee("a", points), b = pointee("b", points);
  copies.copy(pointer(a, zero), pointer(b, zero), n, points, ir::BytesApart);
  EXPECT_EQ(opcodes(), std::vector<Opcode>{Opcode::For});
  EXPECT_EQ(count(Opcode::Load), 2u);
  EXPECT_EQ(count(Opcode::Store), 2u);
}

TEST_F(AccessesTest, ACopyThatMayOverlapHasBothDirections) {
  RootId a = pointee("a", f32);
  copies.copy(pointer(a, n), pointer(a, zero), fold.index(8), f32, ir::BytesAnywhere);
  ASSERT_EQ(last().opcode, Opcode::If);
  std::vector<ir::Predicate> predicates;
  for (const ir::Op &op : out.ops)
    if (op.opcode == Opcode::For)
      predicates.push_back(op.predicate);
  EXPECT_EQ(predicates, (std::vector<ir::Predicate>{ir::Predicate::Ge, ir::Predicate::Lt}));
}

TEST_F(AccessesTest, SlotsAreCopiedAndFilledOneByOne) {
  RootId t = variable("t", row, true);
  copies.fill(cell(t, zero), fold.constantInt(ScalarType::U8, 0), fold.index(4), f32);
  EXPECT_TRUE(opcodes().empty());
  EXPECT_EQ(accesses.load(cell(t, fold.index(3)), f32).scalar, fold.constant({ScalarType::F32, 0}));
  copies.copy(pointer(pointee("a", f32), zero), cell(t, zero), fold.index(4), f32, ir::BytesApart);
  EXPECT_EQ(count(Opcode::Store), 4u);
  copies.fill(cell(t, zero), fold.constantInt(ScalarType::U8, 0), n, f32);
  EXPECT_EQ(unsupported(), std::vector<std::string>{"a memory fill whose size is not constant"});
}

TEST_F(AccessesTest, CopiesToNowhere) {
  AbstractValue a = pointer(pointee("a", f32), zero);
  copies.copy(memory.pointers.null(), a, n, f32, ir::BytesApart);
  copies.fill(memory.pointers.unknown(), fold.constantInt(ScalarType::U8, 0), n, f32);
  EXPECT_EQ(unsupported().size(), 2u);
}

} // namespace
} // namespace colonnade::canonical

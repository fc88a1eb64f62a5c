//===- PointerArithmeticTest.cpp - Pointer arithmetic and comparison ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

#include "Normalize/Walk/PointerArithmetic.h"

namespace colonnade::canonical {
namespace {

struct PointerArithmeticTest : MemorySample {
  PointerArithmetic arithmetic{fold, tree, memory.pointers,
                               [this](NodeId node, MemTypeId type) {
                                 tree.node(node).type = type;
                                 adopted = type;
                               },
                               [this](NodeId, MemTypeId type) { narrowed = type; }};
  MemTypeId adopted, narrowed;
  ValueId zero = fold.index(0), one = fold.index(1), two = fold.index(2);
};

TEST_F(PointerArithmeticTest, NarrowerCellsAreAskedFor) {
  const MemTypeId s16 = scalarType(ScalarType::S16);
  AbstractValue p = pointer(pointee("a", f32), n);
  arithmetic.index(p, one, s32); // of the same width
  EXPECT_FALSE(narrowed);
  arithmetic.index(p, one, scalarType(ScalarType::S64));
  EXPECT_FALSE(narrowed);
  arithmetic.index(p, one, s16);
  EXPECT_EQ(narrowed, s16);
}

TEST_F(PointerArithmeticTest, IndexAddsToTheLastDigit) {
  AbstractValue p = pointer(pointee("a", f32), n);
  EXPECT_EQ(arithmetic.index(p, zero, f32).isPointer(), true);
  const Place &moved = placeOf(arithmetic.index(p, one, f32));
  EXPECT_EQ(moved.digits[0].subscript, fold.binary(Opcode::Add, n, one));
}

TEST_F(PointerArithmeticTest, FieldsChangeTheNodeDecayAddsADigit) {
  RootId s = pointee("s", pair);
  AbstractValue v = arithmetic.field(pointer(s, n), 1, pair);
  const Place &cell = placeOf(arithmetic.index(arithmetic.decay(v, fold.index(4), row), two, f32));
  EXPECT_EQ(tree.node(cell.node).name, "s.v");
  ASSERT_EQ(cell.digits.size(), 2u);
  EXPECT_EQ(cell.digits[0].subscript, n);
  EXPECT_EQ(cell.digits[1].subscript, two);
  EXPECT_EQ(flatIndex(fold, cell),
            fold.binary(Opcode::Add, fold.binary(Opcode::Mul, n, fold.index(4)), two));
}

TEST_F(PointerArithmeticTest, ACastToTheFirstElementIsFollowed) {
  Place p = place(top(pointee("m", image)), {n});
  ASSERT_TRUE(arithmetic.adjust(p, f32));
  EXPECT_EQ(p.digits.size(), 3u);
  EXPECT_TRUE(tree.sameType(tree.node(p.node).type, f32));
  Place q = place(top(pointee("s", pair)), {n});
  ASSERT_TRUE(arithmetic.adjust(q, s32));
  EXPECT_EQ(tree.node(q.node).name, "s.k");
}

TEST_F(PointerArithmeticTest, ARowOfElementsMovesByItsLength) {
  AbstractValue p = arithmetic.index(pointer(pointee("a", f32), zero), two, row);
  EXPECT_EQ(placeOf(p).digits[0].subscript, fold.index(8));
}

TEST_F(PointerArithmeticTest, AnotherCastIsUnknownAndSaysSo) {
  AbstractValue p = arithmetic.field(pointer(pointee("a", f32), n), 0, pair);
  ASSERT_TRUE(p.isPointer());
  EXPECT_FALSE(memory.pointers[p].isKnown());
  EXPECT_EQ(unsupported(),
            std::vector<std::string>{"a pointer into 'a' cast to another type or "
                                     "moved outside its array (access it as what it is declared)"});
}

TEST_F(PointerArithmeticTest, AFieldIsNoArray) {
  AbstractValue k = arithmetic.field(pointer(pointee("s", pair), n), 0, pair);
  EXPECT_FALSE(memory.pointers[arithmetic.index(k, one, s32)].isKnown());
}

TEST_F(PointerArithmeticTest, AVoidPointerTakesTheFirstTypeItIsUsedAs) {
  Place p = place(top(root("p", Pointee{}, {})), {n});
  EXPECT_TRUE(arithmetic.adjust(p, f32));
  EXPECT_EQ(adopted, f32);
  EXPECT_FALSE(arithmetic.adjust(p, pair));
}

TEST_F(PointerArithmeticTest, Differences) {
  RootId a = pointee("a", f32), b = pointee("b", f32);
  EXPECT_EQ(arithmetic.difference(pointer(a, n), pointer(a, zero), f32), n);
  EXPECT_EQ(arithmetic.difference(pointer(a, fold.index(8)), pointer(a, zero), row), two);
  EXPECT_TRUE(unsupported().empty());
  arithmetic.difference(pointer(a, n), pointer(b, n), f32);
  EXPECT_EQ(unsupported().size(), 1u);
}

TEST_F(PointerArithmeticTest, Comparisons) {
  RootId a = pointee("a", f32), b = pointee("b", f32), local = variable("t", row);
  auto compare = [&](Opcode opcode, AbstractValue p, AbstractValue q) {
    return arithmetic.compare(opcode, p, q);
  };
  EXPECT_EQ(compare(Opcode::Lt, pointer(a, n), pointer(a, two)), fold.binary(Opcode::Lt, n, two));
  EXPECT_EQ(compare(Opcode::Eq, pointer(a, zero), pointer(b, zero)), fold.constantBool(false));
  AbstractValue null = memory.pointers.null();
  EXPECT_EQ(compare(Opcode::Eq, null, null), fold.constantBool(true));
  EXPECT_EQ(compare(Opcode::Ne, pointer(local, zero), null), fold.constantBool(true));
  EXPECT_TRUE(out.assumptions.empty());
  EXPECT_EQ(compare(Opcode::Ne, pointer(a, n), null), fold.constantBool(true));
  EXPECT_EQ(compare(Opcode::Ne, pointer(a, n), null), fold.constantBool(true));
  EXPECT_EQ(out.assumptions, std::vector<std::string>{"pointer 'a' is not null"});
  EXPECT_TRUE(unsupported().empty());
  compare(Opcode::Lt, pointer(a, n), pointer(b, n));
  compare(Opcode::Eq, pointer(a, n), memory.pointers.unknown());
  EXPECT_EQ(unsupported().size(), 2u);
  compare(Opcode::Eq, pointer(a, n), pointer(b, zero)); // a + n may be the end of a
  EXPECT_EQ(unsupported().size(), 3u);
}

} // namespace
} // namespace colonnade::canonical

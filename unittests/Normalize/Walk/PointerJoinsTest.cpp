//===- PointerJoinsTest.cpp - Pointers over joins and around loops ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

namespace colonnade::canonical {
namespace {

struct PointerJoinsTest : MemorySample {
  PointerShape joined(std::initializer_list<AbstractValue> values) {
    PointerShape shape;
    for (AbstractValue v : values)
      memory.joins.join(shape, v, fold.depth());
    return shape;
  }
  std::vector<ValueId> encoded(const PointerShape &shape, AbstractValue v) {
    llvm::SmallVector<ValueId, 4> values;
    memory.joins.encode(shape, v, values);
    EXPECT_EQ(values.size(), shape.valueCount());
    return {values.begin(), values.end()};
  }
  Pointer decoded(const PointerShape &shape, llvm::ArrayRef<ValueId> values) {
    return memory.pointers[memory.joins.decode(shape, values)];
  }
  /// The number of the candidate, in a shape with several.
  static int64_t numberOf(const PointerShape &shape, NodeId node) {
    for (size_t i = 0; i < shape.candidates.size(); ++i)
      if (shape.candidates[i].node == node)
        return int64_t(i);
    return -1;
  }
  ValueId selector(int64_t i) { return fold.constantInt(ScalarType::S32, i); }
};

TEST_F(PointerJoinsTest, EqualPointersNeedNoValue) {
  RootId a = pointee("a", f32);
  PointerShape shape = joined({pointer(a, n), pointer(a, n)});
  EXPECT_EQ(shape.valueCount(), 0u);
  Pointer p = decoded(shape, {});
  ASSERT_EQ(p.places.size(), 1u);
  EXPECT_EQ(p.places[0].digits[0].subscript, n);
}

TEST_F(PointerJoinsTest, OnlyTheDigitThatDiffersIsAValue) {
  RootId m = pointee("m", image);
  NodeId cell = tree.element(tree.element(top(m)));
  ValueId one = fold.index(1), two = fold.index(2);
  AbstractValue p = pointer(place(cell, {n, one, two})), q = pointer(place(cell, {n, two, two}));
  PointerShape shape = joined({p, q});
  EXPECT_EQ(encoded(shape, p), std::vector<ValueId>{one});
  EXPECT_EQ(encoded(shape, q), std::vector<ValueId>{two});
  Pointer r = decoded(shape, {n});
  EXPECT_EQ(r.places[0].digits[0].subscript, n);
  EXPECT_EQ(r.places[0].digits[1].subscript, n);
  EXPECT_EQ(r.places[0].digits[2].subscript, two);
}

TEST_F(PointerJoinsTest, DifferentObjectsNeedASelector) {
  RootId a = pointee("a", f32), b = pointee("b", f32);
  AbstractValue p = pointer(a, n), q = pointer(b, n);
  for (const PointerShape &shape : {joined({p, q}), joined({q, p})}) {
    EXPECT_EQ(encoded(shape, p), std::vector<ValueId>{selector(numberOf(shape, top(a)))});
    EXPECT_EQ(encoded(shape, q), std::vector<ValueId>{selector(numberOf(shape, top(b)))});
    Pointer r = decoded(shape, {selector(0)});
    EXPECT_EQ(r.places.size(), 2u);
    EXPECT_EQ(r.selector, selector(0));
  }
}

TEST_F(PointerJoinsTest, ASelectionIsRenumbered) {
  RootId a = pointee("a", f32), b = pointee("b", f32);
  Pointer either;
  either.places = {place(top(a), {n}), place(top(b), {n})};
  either.selector = fold.addArg(out.body, ScalarType::S32, "which");
  AbstractValue v = memory.pointers.add(either);
  EXPECT_EQ(encoded(joined({v}), v), std::vector<ValueId>{either.selector});
  PointerShape other = joined({pointer(b, n), v});
  ValueId number = encoded(other, v)[0];
  EXPECT_NE(number, either.selector);
  EXPECT_EQ(out.definition(number)->opcode, Opcode::Select);
}

TEST_F(PointerJoinsTest, NullIsAPlaceAndUnknownAbsorbs) {
  RootId a = pointee("a", f32);
  PointerShape shape = joined({pointer(a, n), memory.pointers.null()});
  EXPECT_EQ(shape.candidates.size(), 2u);
  EXPECT_TRUE(memory.joins.join(shape, memory.pointers.unknown(), fold.depth()));
  EXPECT_FALSE(memory.joins.join(shape, pointer(a, n), fold.depth()));
  EXPECT_EQ(shape.valueCount(), 0u);
  EXPECT_FALSE(decoded(shape, {}).isKnown());
}

TEST_F(PointerJoinsTest, TooManyPlacesAreUnknown) {
  PointerShape shape;
  for (int i = 0; i < 16; ++i)
    memory.joins.join(shape, pointer(pointee("a", f32), n), fold.depth());
  EXPECT_FALSE(shape.unknown);
  memory.joins.join(shape, pointer(pointee("a", f32), n), fold.depth());
  EXPECT_TRUE(shape.unknown);
}

TEST_F(PointerJoinsTest, PlacesWithOtherRadicesAreCountedInCells) {
  NodeId cell = tree.element(tree.element(top(pointee("m", image))));
  Place wide = place(cell, {fold.index(0), fold.index(1), fold.index(2)});
  Place other = wide;
  other.digits[2].radix = fold.index(5);
  PointerShape shape = joined({pointer(wide), pointer(other)});
  EXPECT_EQ(encoded(shape, pointer(wide)), std::vector<ValueId>{fold.index(6)});
  EXPECT_EQ(encoded(shape, pointer(other)), std::vector<ValueId>{fold.index(7)});
  EXPECT_TRUE(decoded(shape, {n}).places[0].flat);
}

TEST_F(PointerJoinsTest, JoiningAgainDoesNotGrow) {
  RootId a = pointee("a", f32);
  AbstractValue p = pointer(a, n), q = pointer(a, fold.index(0));
  PointerShape shape;
  EXPECT_TRUE(memory.joins.join(shape, p, fold.depth()));
  EXPECT_TRUE(memory.joins.join(shape, q, fold.depth()));
  EXPECT_FALSE(memory.joins.join(shape, q, fold.depth()));
  EXPECT_FALSE(memory.joins.join(shape, p, fold.depth()));
}

TEST_F(PointerJoinsTest, WhatIsNotVisibleAfterwardsIsCarried) {
  RootId a = pointee("a", f32);
  RegionId arm = fold.createRegion();
  fold.enter(arm);
  ValueId inside = fold.binary(Opcode::Add, n, fold.index(1));
  fold.leave();
  EXPECT_EQ(joined({pointer(a, inside)}).valueCount(), 1u);
}

TEST_F(PointerJoinsTest, ALoopEnteredAgainHasTheDigitsOfItsEntry) {
  RootId a = pointee("a", f32);
  ValueId later = fold.binary(Opcode::Add, n, fold.index(1));
  PointerShape shape = joined({pointer(a, n)});
  memory.joins.enterLoop(shape, pointer(a, later));
  EXPECT_EQ(shape.valueCount(), 0u);
  EXPECT_EQ(decoded(shape, {}).places[0].digits[0].subscript, later);
}

} // namespace
} // namespace colonnade::canonical

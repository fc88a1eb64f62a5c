//===- PlaceTreeTest.cpp - Roots, nodes and leaves ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

namespace colonnade::canonical {
namespace {

using PlaceTreeTest = MemorySample;

TEST_F(PlaceTreeTest, TheSameStepLeadsToTheSameNode) {
  NodeId s = top(pointee("s", pair));
  NodeId v = tree.child(s, 1), cell = tree.element(v);
  EXPECT_EQ(tree.child(s, 1), v);
  EXPECT_EQ(tree.element(v), cell);
  EXPECT_NE(tree.child(s, 0), v);
  EXPECT_EQ(tree.node(cell).name, "s.v");
  EXPECT_EQ(tree.node(v).digits, 1u);
  EXPECT_EQ(tree.node(cell).digits, 2u);
  EXPECT_EQ(tree.node(cell).cells, 4);
  EXPECT_EQ(tree.rootOf(cell).name, "s");
}

TEST_F(PlaceTreeTest, LeavesAreTheScalarsInOrder) {
  std::vector<std::string> names;
  for (NodeId leaf : tree.leaves(top(pointee("s", pair))))
    names.push_back(tree.node(leaf).name);
  EXPECT_EQ(names, (std::vector<std::string>{"s.k", "s.v", "s.p"}));
  NodeId cell = tree.leaves(top(pointee("m", image)))[0];
  EXPECT_EQ(tree.node(cell).cells, 12);
  EXPECT_EQ(tree.node(cell).digits, 3u);
}

TEST_F(PlaceTreeTest, CellsOfAVariableLengthArrayAreNotCounted) {
  MemTypeId vla = arrayType(f32, SizeExpr::name("n"));
  EXPECT_EQ(tree.node(tree.leaves(top(variable("t", vla)))[0]).cells, 0);
}

TEST_F(PlaceTreeTest, TheKindOfRootSaysWhatIsASlot) {
  auto slots = [&](decltype(Root::kind) kind) {
    Root root;
    root.kind = std::move(kind);
    std::vector<bool> result;
    for (NodeId leaf : tree.leaves(top(tree.addRoot(std::move(root), pair))))
      result.push_back(tree.isSlot(leaf));
    return result; // of k, v, p
  };
  EXPECT_EQ(slots(LocalVariable{false}), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(slots(LocalVariable{true}), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(slots(StructParameter{}), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(slots(Pointee{}), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(slots(ConstantTable{}), (std::vector<bool>{false, false, false}));
}

TEST_F(PlaceTreeTest, TouchesSlotsBelowTheNodeOnly) {
  NodeId s = top(variable("s", pair));
  EXPECT_TRUE(tree.touchesSlots(s));
  EXPECT_FALSE(tree.touchesSlots(tree.child(s, 1)));
}

TEST_F(PlaceTreeTest, OneElement) {
  Pointee reference;
  reference.count = SizeExpr::constant(1);
  EXPECT_TRUE(tree.hasOneElement(root("r", reference, f32)));
  EXPECT_FALSE(tree.hasOneElement(pointee("p", f32)));
  EXPECT_TRUE(tree.hasOneElement(variable("x", f32)));
  EXPECT_TRUE(tree.hasOneElement(root("s", StructParameter{}, pair)));
  EXPECT_TRUE(tree.hasOneElement(root("t", ConstantTable{}, row)));
  EXPECT_FALSE(tree.hasOneElement(root("t", ConstantTable{}, f32)));
}

TEST_F(PlaceTreeTest, TypesAreEqualByStructure) {
  EXPECT_TRUE(tree.sameType(row, arrayType(scalarType(ScalarType::F32), SizeExpr::constant(4))));
  EXPECT_FALSE(tree.sameType(row, arrayType(f32, SizeExpr::constant(5))));
  EXPECT_FALSE(tree.sameType(f32, s32));
  EXPECT_FALSE(tree.sameType(f32, {}));
  EXPECT_EQ(tree.scalarsIn(image, f32), 12);
  EXPECT_EQ(tree.scalarsIn(image, row), 3);
  MemTypeId u8 = scalarType(ScalarType::U8), flag = scalarType(ScalarType::Bool);
  EXPECT_EQ(tree.scalarsIn(image, u8), 48);
  EXPECT_EQ(tree.scalarsIn(u8, f32), 0);
  EXPECT_EQ(tree.scalarsIn(image, flag), 0);
  EXPECT_EQ(tree.scalarsIn(image, pair), 0);
}

} // namespace
} // namespace colonnade::canonical

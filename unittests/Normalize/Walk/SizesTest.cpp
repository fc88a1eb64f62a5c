//===- SizesTest.cpp - Declared sizes as values and extents -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySample.h"

namespace colonnade::canonical {
namespace {

/// void callee(long rows) { float t[…]; } called from entry(long n) with some value.
struct SizesTest : MemorySample {
  SizesTest() {
    callee.body = RegionId(0);
    callee.regions.emplace_back();
    callee.regions[0].args = {ValueId(0)};
    callee.rawParams.resize(1);
    callee.rawParams[0].name = "rows";
    memory.sizes.addName(n, "n");
    scope.function = &callee;
  }
  SizeExpr size(ValueId rows, const SizeExpr &written) {
    scope.values = {AbstractValue{rows}};
    memory.sizes.setScope(&scope);
    return memory.sizes.inEntryTerms(written);
  }
  ir::Function callee;
  Scope scope;
  SizeExpr rows = SizeExpr::name("rows");
};

TEST_F(SizesTest, NamesAreOfTheCalleeExtentsOfTheEntry) {
  ValueId twice = fold.binary(Opcode::Mul, n, fold.index(2));
  EXPECT_EQ(size(n, rows).str(), "n");
  EXPECT_EQ(size(twice, rows + SizeExpr::constant(1)).str(), "n*2+1");
  EXPECT_EQ(size(fold.index(3), rows * rows).str(), "9");
}

TEST_F(SizesTest, WhatIsNotMadeOfTheEntrysParametersIsUnknown) {
  RootId a = pointee("a", s32);
  ValueId loaded = fold.load(tree.node(top(a)).array, {{fold.index(0)}, {}});
  EXPECT_FALSE(size(fold.cast(loaded, ScalarType::S64), rows).known());
  EXPECT_FALSE(size(n, SizeExpr::name("columns")).known());
  EXPECT_FALSE(size(n, SizeExpr()).known());
  EXPECT_FALSE(memory.sizes.value(SizeExpr::name("columns")));
}

TEST_F(SizesTest, ANarrowedValueIsAnotherSize) {
  ValueId low = fold.cast(fold.binary(Opcode::Add, n, fold.index(1)), ScalarType::S32);
  EXPECT_FALSE(memory.sizes.sizeOf(low).known());
}

struct LeafArraysTest : MemorySample {
  std::string added(const std::string &name) {
    ir::Array array;
    array.name = name;
    return out.array(memory.arrays.add(std::move(array))).name;
  }
};

TEST_F(LeafArraysTest, NamesAreUnique) {
  EXPECT_EQ(added("t"), "t");
  EXPECT_EQ(added("t"), "t_2");
  EXPECT_EQ(added("u_2"), "u_2");
  EXPECT_EQ(added("u"), "u");
  EXPECT_EQ(added("u"), "u_3"); // "u_2" is another's
  EXPECT_EQ(added(""), "array");
}

TEST_F(LeafArraysTest, ALeafHasOneArray) {
  NodeId cell = tree.leaves(top(variable("t", image)))[0];
  ArrayId array = memory.arrays.of(cell);
  ASSERT_TRUE(array);
  EXPECT_EQ(memory.arrays.of(cell), array);
  EXPECT_EQ(out.array(array).role, ir::ArrayRole::Local);
  ASSERT_EQ(out.array(array).extents.size(), 2u);
  EXPECT_EQ(out.array(array).extents[0].str(), "3");
  EXPECT_EQ(out.array(array).extents[1].str(), "4");
}

TEST_F(LeafArraysTest, NoArrayWithoutAKnownSize) {
  NodeId cell = tree.leaves(top(variable("t", arrayType(f32, SizeExpr()))))[0];
  EXPECT_FALSE(memory.arrays.of(cell));
  EXPECT_TRUE(out.arrays.empty());
}

} // namespace
} // namespace colonnade::canonical

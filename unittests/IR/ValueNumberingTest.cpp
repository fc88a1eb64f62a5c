//===- ValueNumberingTest.cpp - Which values are known to be equal --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"

#include "IR/ValueNumbering.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

const char *const Text = R"(
func "f" canonical {
  array @a : s64[4] parameter instance reads
  body(%n : s64, %m : s64, %c : bool) {
    %one = const 1 : s64
    %x = add %n, %one : s64
    %y = sub %n, %one : s64
    %narrow = cast %x : s32
    %l = load @a[%x] : s64
    %k = load @a[%x] : s64
    %u = undef : s64
    %v = undef : s64
    if %c {
      %uno = const 1 : s64
      %x2 = add %n, %uno : s64
      %xm = add %m, %uno : s64
      %z = mul %x2, %l : s64
      yield
    } else {
      %z2 = mul %x, %l : s64
      %z3 = mul %x, %k : s64
      yield
    }
    return
  }
})";

class Numbers : public testing::Test {
protected:
  Module module = parsed(Text);
  const Function &f = module.functions[0];
  ValueNumbers numbers{f};

  uint32_t of(llvm::StringRef name) const {
    for (size_t v = 0; v < f.values.size(); ++v)
      if (f.values[v].name == name)
        return numbers.of(ValueId(v));
    ADD_FAILURE() << name.str();
    return 0;
  }
};

TEST_F(Numbers, EqualExpressionsInDifferentRegions) {
  EXPECT_EQ(of("one"), of("uno"));
  EXPECT_EQ(of("x"), of("x2"));
  EXPECT_EQ(of("z"), of("z2")); // by way of x and x2
}

TEST_F(Numbers, OtherOperandsOperationsAndTypes) {
  EXPECT_NE(of("x"), of("y"));
  EXPECT_NE(of("x2"), of("xm"));
  EXPECT_NE(of("x"), of("narrow"));
}

TEST_F(Numbers, LoadsAndIndeterminateValuesAreTheirOwn) {
  EXPECT_NE(of("l"), of("k"));
  EXPECT_NE(of("z2"), of("z3"));
  EXPECT_NE(of("u"), of("v"));
}

TEST(AvailableValues, AreForgottenWithTheirRegion) {
  AvailableValues values;
  Op op;
  op.opcode = Opcode::Neg;
  op.operands = {ValueId(7)};
  const Expression first(op, ScalarType::S32), second(op, ScalarType::S64);
  values.add(first, ValueId(1));
  const size_t mark = values.mark();
  values.add(second, ValueId(2));
  values.add(first, ValueId(3)); // is known already
  EXPECT_EQ(values.find(first), ValueId(1));
  EXPECT_EQ(values.find(second), ValueId(2));
  values.forgetSince(mark);
  EXPECT_EQ(values.find(first), ValueId(1));
  EXPECT_FALSE(values.find(second).valid());
}

TEST(AvailableValues, TheLatestReplaces) {
  AvailableValues values;
  const Expression negated(makeOp(Opcode::Neg, ValueId(7)), ScalarType::S32);
  values.replace(negated, ValueId(1));
  EXPECT_EQ(values.find(negated), ValueId(1));
  values.replace(negated, ValueId(3));
  EXPECT_EQ(values.find(negated), ValueId(3));
}

TEST(CellSet, GivesBackWhatItForgets) {
  CellSet cells;
  EXPECT_TRUE(cells.add({0, 1}));
  const size_t mark = cells.mark();
  EXPECT_FALSE(cells.add({0, 1}));
  EXPECT_TRUE(cells.add({0, 2}));
  EXPECT_EQ(cells.forgetSince(mark), (std::vector<CellKey>{{0, 2}}));
  EXPECT_TRUE(cells.contains({0, 1}));
  EXPECT_FALSE(cells.contains({0, 2}));
}

} // namespace

//===- FoldTest.cpp - The builder that simplifies -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Fold.h"

#include "gtest/gtest.h"

namespace colonnade::canonical {
namespace {

class FoldTest : public testing::Test {
protected:
  FoldTest() {
    out_.body = RegionId(0);
    out_.regions.emplace_back();
    fold_ = std::make_unique<Folder>(out_);
    x_ = fold_->addArg(out_.body, ScalarType::S32, "x");
    f_ = fold_->addArg(out_.body, ScalarType::F32, "f");
    b_ = fold_->addArg(out_.body, ScalarType::Bool, "b");
  }
  ValueId number(int64_t n) { return fold_->constantInt(ScalarType::S32, n); }

  ir::Function out_;
  std::unique_ptr<Folder> fold_;
  ValueId x_, f_, b_;
};

TEST_F(FoldTest, ConstantsAreUnique) {
  EXPECT_EQ(number(7), number(7));
  EXPECT_NE(number(7), fold_->constantInt(ScalarType::U32, 7));
  EXPECT_EQ(fold_->binary(Opcode::Add, number(3), number(4)), number(7));
}

TEST_F(FoldTest, UndefinedBehaviourIsNeverFolded) {
  ValueId zero = number(0), big = number(INT32_MAX);
  EXPECT_FALSE(fold_->constantOf(fold_->binary(Opcode::Div, number(1), zero)));
  EXPECT_FALSE(fold_->constantOf(fold_->binary(Opcode::Add, big, number(1))));
  EXPECT_FALSE(fold_->constantOf(fold_->binary(Opcode::Shl, number(1), number(32))));
  EXPECT_EQ(fold_->intConstant(fold_->binary(Opcode::Sub, big, number(1))), INT32_MAX - 1);
}

TEST_F(FoldTest, IdentitiesOfIntegersOnly) {
  EXPECT_EQ(fold_->binary(Opcode::Add, x_, number(0)), x_);
  EXPECT_EQ(fold_->binary(Opcode::Mul, number(1), x_), x_);
  ValueId zero = fold_->constant(ir::makeFloat(ScalarType::F32, 0));
  EXPECT_NE(fold_->binary(Opcode::Add, f_, zero), f_); // -0.0 + 0.0 is 0.0
}

TEST_F(FoldTest, FlagsLoseTheirCasts) {
  ValueId asInt = fold_->cast(b_, ScalarType::S32);
  EXPECT_EQ(fold_->binary(Opcode::Ne, asInt, number(0)), b_);
  EXPECT_EQ(fold_->logicalNot(fold_->binary(Opcode::Eq, asInt, number(0))), b_);
  EXPECT_EQ(fold_->intConstant(fold_->binary(Opcode::Eq, asInt, number(2))), 0);
}

TEST_F(FoldTest, CastsThroughAWiderType) {
  ValueId wide = fold_->cast(x_, ScalarType::S64);
  EXPECT_EQ(fold_->cast(wide, ScalarType::S32), x_);
  ValueId narrow = fold_->cast(x_, ScalarType::S8);
  EXPECT_NE(fold_->cast(narrow, ScalarType::S32), x_);
}

TEST_F(FoldTest, EqualOperationsAreOneWhereVisible) {
  ValueId sum = fold_->binary(Opcode::Add, x_, number(5));
  EXPECT_EQ(fold_->binary(Opcode::Add, x_, number(5)), sum);
  RegionId inner = fold_->createRegion();
  ir::Op op;
  op.opcode = Opcode::If;
  op.operands = {b_};
  op.regions = {inner, fold_->createRegion()};
  fold_->append(std::move(op), {});
  fold_->enter(inner);
  EXPECT_EQ(fold_->binary(Opcode::Add, x_, number(5)), sum);
  ValueId local = fold_->binary(Opcode::Mul, x_, number(5));
  fold_->leave();
  EXPECT_NE(fold_->binary(Opcode::Mul, x_, number(5)), local);
}

TEST_F(FoldTest, ConditionsHoldUntilForgotten) {
  ValueId condition = fold_->binary(Opcode::Lt, x_, number(5));
  size_t mark = fold_->conditionMark();
  fold_->assume(fold_->logicalNot(condition), true);
  EXPECT_EQ(fold_->known(condition), false);
  fold_->forgetSince(mark);
  EXPECT_EQ(fold_->known(condition), std::nullopt);
}

} // namespace
} // namespace colonnade::canonical

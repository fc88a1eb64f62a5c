//===- KnownConditionsTest.cpp - Truths of conditions at a point --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/KnownConditions.h"

#include "IR/Builder.h"

#include "gtest/gtest.h"

namespace colonnade::canonical {
namespace {

struct KnownConditionsTest : testing::Test {
  KnownConditionsTest() {
    f.body = RegionId(0);
    f.regions.emplace_back();
    builder.setRegion(f.body);
    a = builder.addArg(f.body, ir::ScalarType::Bool, "a");
    b = builder.addArg(f.body, ir::ScalarType::Bool, "b");
  }
  /// a ? then : otherwise
  ValueId choose(ValueId then, ValueId otherwise) {
    OpId id = builder.createIf(a, ir::ScalarType::Bool);
    for (unsigned arm = 0; arm < 2; ++arm) {
      ir::InsertionScope scope(builder);
      builder.setRegion(f.op(id).regions[arm]);
      builder.yield(arm == 0 ? then : otherwise);
    }
    return builder.result(id);
  }
  ir::Function f;
  ir::Builder builder{f};
  KnownConditions conditions{f};
  ValueId a, b;
};

TEST_F(KnownConditionsTest, NothingIsKnownButConstants) {
  EXPECT_EQ(conditions.known(a), std::nullopt);
  EXPECT_EQ(conditions.known(builder.constantBool(false)), false);
}

TEST_F(KnownConditionsTest, ThroughNotAndOr) {
  ValueId both = builder.binary(ir::Opcode::And, a, b);
  ValueId either = builder.binary(ir::Opcode::Or, a, b);
  ValueId notA = builder.unary(ir::Opcode::Not, a);
  size_t mark = conditions.mark();
  conditions.assume(both, true);
  EXPECT_EQ(conditions.known(a), true);
  EXPECT_EQ(conditions.known(b), true);
  EXPECT_EQ(conditions.known(notA), false);
  conditions.forgetSince(mark);
  EXPECT_EQ(conditions.known(a), std::nullopt);
  conditions.assume(both, false); // says nothing about either
  EXPECT_EQ(conditions.known(a), std::nullopt);
  conditions.assume(either, false);
  EXPECT_EQ(conditions.known(b), false);
}

TEST_F(KnownConditionsTest, AnArmThatGivesTheOppositeWasNotTaken) {
  ValueId chosen = choose(b, builder.constantBool(false)); // a && b
  conditions.assume(chosen, true);
  EXPECT_EQ(conditions.known(a), true);
  EXPECT_EQ(conditions.known(b), true);
}

TEST_F(KnownConditionsTest, WhatAnIfGaveWhereItsConditionIsKnown) {
  ValueId chosen = choose(b, builder.constantBool(false));
  EXPECT_FALSE(conditions.given(chosen));
  conditions.assume(a, true);
  EXPECT_EQ(conditions.given(chosen), b);
}

} // namespace
} // namespace colonnade::canonical

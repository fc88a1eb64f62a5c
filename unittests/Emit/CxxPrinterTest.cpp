//===- CxxPrinterTest.cpp - Names, literals, precedence -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/CxxText.h"

#include <gtest/gtest.h>

using namespace colonnade;
using ir::ScalarType;

TEST(CxxNames, KeepsSourceNamesApart) {
  CxxNames names;
  EXPECT_EQ(names.unique("sum"), "sum");
  EXPECT_EQ(names.unique("sum"), "sum_2");
  EXPECT_EQ(names.unique("sum"), "sum_3");
  EXPECT_EQ(names.unique("s.field"), "s_field");
  EXPECT_EQ(names.unique("while"), "while_2");
  EXPECT_EQ(names.unique(""), "t");
  EXPECT_EQ(names.unique("%brk"), "brk");
  EXPECT_EQ(names.unique("a__b"), "a_b");
}

TEST(CxxExpr, ParenthesisesOnlyWhereNeeded) {
  CxxExpr a{"a"}, b{"b"}, c{"c"};
  CxxExpr sum = binaryExpr(a, "+", b, Precedence::Additive);
  EXPECT_EQ(binaryExpr(sum, "+", c, Precedence::Additive).text, "a + b + c");
  EXPECT_EQ(binaryExpr(c, "-", sum, Precedence::Additive).text, "c - (a + b)");
  EXPECT_EQ(binaryExpr(sum, "*", c, Precedence::Multiplicative).text, "(a + b) * c");
  EXPECT_EQ(binaryExpr(sum, "&", c, Precedence::BitAnd).text, "(a + b) & c");
  EXPECT_EQ(binaryExpr(sum, "<", c, Precedence::Relational).text, "a + b < c");
}

TEST(CxxLiteral, IsExact) {
  auto text = [](ScalarType type, uint64_t bits, bool typed) {
    return literal({type, bits}, typed).text;
  };
  EXPECT_EQ(text(ScalarType::F32, 0x3dcccccd, true), "0.1f");
  EXPECT_EQ(text(ScalarType::F64, 0x3ff0000000000000, true), "1.0");
  EXPECT_EQ(text(ScalarType::F32, 0x80000000, true), "-0.0f");
  EXPECT_EQ(text(ScalarType::F32, 0x7f800000, true), "__builtin_huge_valf()");
  EXPECT_EQ(text(ScalarType::S32, 0xffffffff, true), "-1");
  EXPECT_EQ(text(ScalarType::S32, 0x80000000, true), "INT32_MIN");
  EXPECT_EQ(text(ScalarType::U32, 7, true), "7u");
  EXPECT_EQ(text(ScalarType::S64, 7, false), "7");
  EXPECT_EQ(text(ScalarType::S64, 7, true), "int64_t{7}");
  EXPECT_EQ(text(ScalarType::U8, 255, true), "uint8_t{255u}");
}

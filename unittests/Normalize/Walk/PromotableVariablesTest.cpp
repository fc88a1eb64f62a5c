//===- PromotableVariablesTest.cpp - Arrays that can be slots -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/PromotableVariables.h"

#include "IR/Printer.h"

#include "gtest/gtest.h"

namespace colonnade::canonical {
namespace {

/// Whether `float t[4]` is promotable if these operations use %t, its first
/// element %e, the parameter %i and the constants %one and %two.
bool promotable(const std::string &uses) {
  std::string text = R"(
!0 = f32
!1 = array [4] !0
!2 = ptr !0
func "f" raw mangled "f" {
  param i : s64
  body(%i : s64) {
    %t = object mem !1 text "t" : ptr
    %one = const 1 : s64
    %two = const 2 : s64
    %four = const 4 : s64
    %e = ptr.decay %t, %four mem !1 : ptr
    %x = const 0.5 : f32
)" + uses + "    return\n  }\n}\n";
  auto module = ir::parseModule(text);
  if (!module) {
    ADD_FAILURE() << llvm::toString(module.takeError());
    return false;
  }
  const ir::Function &f = module->functions[0];
  std::vector<bool> result = promotableVariables(f);
  for (size_t i = 0; i < f.ops.size(); ++i)
    if (f.ops[i].opcode == ir::Opcode::Object)
      return result[i];
  return false;
}

TEST(PromotableVariables, ConstantElements) {
  EXPECT_TRUE(promotable(""));
  EXPECT_TRUE(promotable("%p = ptr.index %e, %one mem !0 : ptr\nptr.store %p, %x mem !0\n"));
  EXPECT_TRUE(promotable("%s = add %one, %two : s64\n"
                         "%p = ptr.index %e, %s mem !0 : ptr\n%v = ptr.load %p mem !0 : f32\n"));
}

TEST(PromotableVariables, AVariableSubscript) {
  EXPECT_FALSE(promotable("%p = ptr.index %e, %i mem !0 : ptr\nptr.store %p, %x mem !0\n"));
  EXPECT_FALSE(promotable("%s = add %one, %i : s64\n"
                          "%p = ptr.index %e, %s mem !0 : ptr\nptr.store %p, %x mem !0\n"));
}

TEST(PromotableVariables, ThePointerGoesElsewhere) {
  EXPECT_FALSE(promotable("%q = object mem !2 text \"q\" : ptr\nptr.store %q, %e mem !2\n"));
  EXPECT_FALSE(promotable("%c = eq %e, %t : bool\n"));
}

TEST(PromotableVariables, CopiesOfAConstantCount) {
  EXPECT_TRUE(promotable("ptr.copy %e, %e, %two mem !0\n"));
  EXPECT_FALSE(promotable("ptr.copy %e, %e, %i mem !0\n"));
}

} // namespace
} // namespace colonnade::canonical

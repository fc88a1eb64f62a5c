//===- NormalizeTest.cpp - Facts, roles and errors of one entry -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From raw IR in text, without Clang. What the passes make of C and C++ is
// tested under test/Normalize.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Normalize.h"

#include "IR/Interpreter.h"
#include "IR/Printer.h"

#include "gtest/gtest.h"

namespace colonnade {
namespace {

constexpr const char *Scale = R"(
!0 = f32
!1 = ptr !0
!2 = s32
func "scale" raw mangled "scale" returns s32 spelt "int" {
  param a : ptr !0 count [n]
  param x : f32
  param n : s32
  body(%a : ptr, %x : f32, %n : s32) {
    %i = object mem !2 text "i" : ptr
    %zero = const 0 : s32
    ptr.store %i, %zero mem !2
    loop () {
      %k = ptr.load %i mem !2 : s32
      %c = lt %k, %n : bool
      test %c
    } do () {
      %k2 = ptr.load %i mem !2 : s32
      %w = cast %k2 : s64
      %p = ptr.index %a, %w mem !0 : ptr
      %v = ptr.load %p mem !0 : f32
      %y = mul %v, %x : f32
      ptr.store %p, %y mem !0
      %one = const 1 : s32
      %next = add %k2, %one : s32
      ptr.store %i, %next mem !2
      %continue = const true : bool
      yield %continue
    }
    %end = ptr.load %i mem !2 : s32
    return %end
  }
}
)";

struct Normalized {
  ir::Module module;
  std::optional<ir::Function> function;
  std::string error;
};

Normalized normalized(const char *text, const EntryFacts &facts = {},
                      unsigned maxWalks = DefaultMaxWalks) {
  Normalized result;
  auto module = ir::parseModule(text);
  if (!module) {
    result.error = llvm::toString(module.takeError());
    return result;
  }
  result.module = std::move(*module);
  auto function = normalize(result.module, FunctionId(0), facts, maxWalks);
  if (!function) {
    result.error = llvm::toString(function.takeError());
    return result;
  }
  if (llvm::Error error = ir::verify(result.module, *function))
    result.error = llvm::toString(std::move(error));
  result.function = std::move(*function);
  return result;
}

std::vector<std::string> unsupported(const ir::Function &f) {
  std::vector<std::string> result;
  for (const ir::Op &op : f.ops)
    if (op.opcode == ir::Opcode::Unsupported)
      result.push_back(op.text);
  return result;
}

const ir::Array *find(const ir::Function &f, llvm::StringRef name) {
  for (const ir::Array &array : f.arrays)
    if (array.name == name)
      return &array;
  return nullptr;
}

TEST(Normalize, ArraysScalarsAndReturn) {
  Normalized n = normalized(Scale);
  ASSERT_EQ(n.error, "");
  const ir::Array *a = find(*n.function, "a"), *result = find(*n.function, "return");
  ASSERT_TRUE(a && result);
  EXPECT_EQ(a->extents[0].str(), "n");
  EXPECT_TRUE(a->reads && a->writes);
  EXPECT_EQ(a->sharing, ir::Sharing::Instance);
  EXPECT_EQ(result->role, ir::ArrayRole::Return);
  ASSERT_EQ(n.function->scalars.size(), 2u);
  EXPECT_EQ(n.function->scalars[0].name, "x");
  EXPECT_TRUE(n.function->assumptions.empty());
}

TEST(Normalize, InterpretsLikeTheSource) {
  Normalized n = normalized(Scale);
  ASSERT_EQ(n.error, "");
  std::vector<ir::ArrayData> data(n.function->arrays.size());
  for (size_t i = 0; i < data.size(); ++i)
    data[i].cells.assign(n.function->arrays[i].name == "a" ? 3 : 1,
                         ir::makeFloat(ir::ScalarType::F32, 1.5).bits);
  ir::Scalar scalars[] = {ir::makeFloat(ir::ScalarType::F32, 2),
                          ir::makeInt(ir::ScalarType::S32, 3)};
  llvm::Error error = ir::interpret(n.module, *n.function, data, scalars);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(data[0].cells[2], ir::makeFloat(ir::ScalarType::F32, 3).bits);
  EXPECT_EQ(data[1].cells[0], 3u);
}

TEST(Normalize, InstanceScalarIsAnArrayReadAtEntry) {
  EntryFacts facts;
  facts.instance = {"x"};
  Normalized n = normalized(Scale, facts);
  ASSERT_EQ(n.error, "");
  const ir::Array *x = find(*n.function, "x");
  ASSERT_TRUE(x);
  EXPECT_EQ(x->role, ir::ArrayRole::Scalar);
  EXPECT_TRUE(x->reads && !x->writes);
  EXPECT_EQ(n.function->scalars.size(), 1u);
}

TEST(Normalize, SizeIsAConstantFromHereOn) {
  EntryFacts facts;
  facts.sizes = {{"n", 4}};
  Normalized n = normalized(Scale, facts);
  ASSERT_EQ(n.error, "");
  EXPECT_EQ(n.function->scalars.size(), 2u); // its value is not used
  EXPECT_EQ(find(*n.function, "a")->extents[0].str(), "4");
}

TEST(Normalize, ExtentsOfTheUserWin) {
  EntryFacts facts;
  facts.extents["a"] = {SizeExpr::name("n") + SizeExpr::constant(1)};
  Normalized n = normalized(Scale, facts);
  ASSERT_EQ(n.error, "");
  EXPECT_EQ(find(*n.function, "a")->extents[0].str(), "n+1");
}

TEST(Normalize, UnknownNamesAreErrorsThatListTheParameters) {
  EntryFacts facts[5];
  facts[0].extents["b"] = {SizeExpr::constant(1)};
  facts[1].uniform = {"b"};
  facts[2].instance = {"b"};
  facts[3].sizes = {{"b", 1}};
  facts[4].aliases = {{"b", "a"}};
  for (const EntryFacts &wrong : facts) {
    std::string error = normalized(Scale, wrong).error;
    EXPECT_NE(error.find("'a', 'n', 'x'"), std::string::npos) << error;
  }
}

TEST(Normalize, AccessIdsFollowTheProgram) {
  Normalized n = normalized(Scale);
  ASSERT_EQ(n.error, "");
  std::vector<uint32_t> ids;
  for (const ir::Op &op : n.function->ops)
    if (op.accessId != UINT32_MAX)
      ids.push_back(op.accessId);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, (std::vector<uint32_t>{0, 1, 2}));
}

// The first walk finds that s.v is written, the second works on a copy.
constexpr const char *TwoWalks = R"(
!0 = f32
!1 = array [100] !0
!2 = struct "S" {"v" !1}
func "set" raw mangled "set" {
  param s : ptr !2 byvalue
  body(%s : ptr) {
    %v = ptr.field %s mem !2 index 0 : ptr
    %count = const 100 : s64
    %e = ptr.decay %v, %count mem !1 : ptr
    %x = const 1.0 : f32
    ptr.store %e, %x mem !0
    return
  }
}
)";

TEST(Normalize, WalksUntilNothingNewIsFound) {
  Normalized n = normalized(TwoWalks, {}, 2);
  ASSERT_EQ(n.error, "");
  EXPECT_TRUE(unsupported(*n.function).empty());
  const ir::Array *copy = find(*n.function, "s.v_2");
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->writes && copy->isLocal());
  EXPECT_FALSE(find(*n.function, "s.v")->writes);
}

TEST(Normalize, AFunctionThatIsNotSettledIsRefused) {
  Normalized n = normalized(TwoWalks, {}, 1);
  ASSERT_EQ(n.error, "");
  EXPECT_EQ(
      unsupported(*n.function),
      std::vector<std::string>{"a function that is not settled after 1 walks over it: the "
                               "last one still found the function's own copy of 's.v' (split the "
                               "function)"});
}

TEST(Normalize, UndefinedBehaviourOfAnUnusedResultIsInTheUnreducedFunction) {
  auto module = ir::parseModule(R"(
!0 = s32
!1 = ptr !0
func "f" raw mangled "f" {
  param x : ptr !0 count [1]
  body(%x : ptr) {
    %a = ptr.load %x mem !0 : s32
    %one = const 1 : s32
    %unused = div %one, %a : s32
    ptr.store %x, %one mem !0
    return
  }
}
)");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  ir::Function unreduced;
  auto function = normalize(*module, FunctionId(0), {}, DefaultMaxWalks, &unreduced);
  ASSERT_TRUE(bool(function)) << llvm::toString(function.takeError());
  EXPECT_EQ(llvm::toString(ir::verify(*module, unreduced)), "");
  auto errorOf = [&](const ir::Function &f, uint64_t value) {
    std::vector<ir::ArrayData> data = {{{value}, {}}};
    return llvm::toString(ir::interpret(*module, f, data, {}));
  };
  EXPECT_EQ(errorOf(*function, 0), "");
  EXPECT_EQ(errorOf(unreduced, 2), "");
  EXPECT_NE(errorOf(unreduced, 0).find("undefined behaviour: integer division by zero"),
            std::string::npos)
      << errorOf(unreduced, 0);
}

} // namespace
} // namespace colonnade

//===- WrapperTests.cpp - Expressions that only wrap another --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind of wrapper has a source in which Clang makes one; the test fails where it
// makes none.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/Wrappers.h"

#include "Lowering.h"

#include "clang/Tooling/Tooling.h"

#include <functional>

using namespace colonnade::test;
using colonnade::frontend::spelled;
using colonnade::frontend::unwrapped;
using colonnade::frontend::withoutCasts;
using colonnade::frontend::wrappedExpr;
using colonnade::frontend::wrappedValue;

namespace {

struct Wrapper {
  const char *kind; // Clang's class, and the kind of a cast
  const char *source;
  const char *suffix; // "c" or "cpp"
};

std::ostream &operator<<(std::ostream &out, const Wrapper &wrapper) { return out << wrapper.kind; }

std::string kindOf(const clang::Expr &expr) {
  std::string kind = expr.getStmtClassName();
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&expr))
    kind += std::string(" ") + cast->getCastKindName();
  return kind;
}

/// Calls `visit` for each expression, in wrapped ones too.
void forEachExpr(const clang::Stmt *stmt, llvm::function_ref<void(const clang::Expr &)> visit) {
  const auto *expr = llvm::dyn_cast_or_null<clang::Expr>(stmt);
  if (expr)
    visit(*expr);
  if (const clang::Expr *inner = expr ? wrappedExpr(*expr) : nullptr)
    return forEachExpr(inner, visit);
  if (stmt)
    for (const clang::Stmt *child : stmt->children())
      forEachExpr(child, visit);
}

/// Calls `visit` for each expression of every function named f.
size_t visitF(const Wrapper &wrapper, llvm::function_ref<void(const clang::Expr &)> visit) {
  bool isC = wrapper.suffix == std::string("c");
  std::unique_ptr<clang::ASTUnit> unit = clang::tooling::buildASTFromCodeWithArgs(
      wrapper.source, {isC ? "-std=gnu17" : "-std=gnu++20", "-Wno-everything"},
      isC ? "input.c" : "input.cpp");
  size_t functions = 0;
  auto visitFunction = [&](const clang::FunctionDecl &function) {
    if (!function.hasBody() || function.isDependentContext() || function.getName() != "f")
      return;
    ++functions;
    forEachExpr(function.getBody(), visit);
  };
  for (const clang::Decl *decl : unit->getASTContext().getTranslationUnitDecl()->decls()) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      if (function->getDeclName().isIdentifier())
        visitFunction(*function);
    if (const auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      for (const clang::FunctionDecl *instance : pattern->specializations())
        visitFunction(*instance);
  }
  return functions;
}

/// Calls `visit` for what each return statement of f returns.
void visitReturned(const Wrapper &wrapper, llvm::function_ref<void(const clang::Expr &)> visit) {
  bool isC = wrapper.suffix == std::string("c");
  std::unique_ptr<clang::ASTUnit> unit = clang::tooling::buildASTFromCodeWithArgs(
      wrapper.source, {isC ? "-std=gnu17" : "-std=gnu++14", "-Wno-everything"},
      isC ? "input.c" : "input.cpp");
  for (const clang::Decl *decl : unit->getASTContext().getTranslationUnitDecl()->decls())
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      if (function->hasBody() && function->getName() == "f")
        for (const clang::Stmt *stmt : function->getBody()->children())
          if (const auto *returned = llvm::dyn_cast<clang::ReturnStmt>(stmt))
            visit(*returned->getRetValue());
}

/// How many expressions of this kind there are, each checked by `check`.
size_t countKind(const Wrapper &wrapper, llvm::function_ref<void(const clang::Expr &)> check) {
  size_t count = 0;
  size_t functions = visitF(wrapper, [&](const clang::Expr &expr) {
    if (kindOf(expr) != wrapper.kind)
      return;
    ++count;
    check(expr);
  });
  EXPECT_GT(functions, 0u);
  return count;
}

class WrapsAnything : public testing::TestWithParam<Wrapper> {};
TEST_P(WrapsAnything, IsTakenOff) {
  size_t count = countKind(GetParam(), [](const clang::Expr &expr) {
    const clang::Expr *inner = wrappedExpr(expr);
    ASSERT_NE(inner, nullptr);
    EXPECT_EQ(wrappedValue(expr), inner);
    EXPECT_EQ(inner->getType().getCanonicalType(), expr.getType().getCanonicalType());
  });
  EXPECT_GT(count, 0u);
  EXPECT_SUPPORTED(lower({{GetParam().source, GetParam().suffix}}, {}));
}
#define BULK "__attribute__((annotate(\"colonnade.bulk\"))) "
INSTANTIATE_TEST_SUITE_P(
    Frontend, WrapsAnything,
    testing::Values(
        Wrapper{"ParenExpr", BULK "int f(int a) { return (a); }", "c"},
        Wrapper{"UnaryOperator", BULK "int f(int a) { return __extension__ a; }", "c"},
        Wrapper{"ExprWithCleanups", BULK "int f(int a) { const int &r = a + 1; return r; }", "cpp"},
        Wrapper{"ConstantExpr",
                "consteval int c(int a) { return a; }" BULK "int f() { return c(3); }", "cpp"},
        Wrapper{"SubstNonTypeTemplateParmExpr",
                "template <int N> int f(int a) { return a + N; }" BULK
                "int g(int a) { return f<3>(a); }",
                "cpp"},
        Wrapper{"GenericSelectionExpr", BULK "int f(int a) { return _Generic(a, int: a); }", "c"},
        Wrapper{"ChooseExpr", BULK "int f(int a) { return __builtin_choose_expr(1, a, 0); }", "c"},
        Wrapper{"CXXDefaultArgExpr",
                "int g(int a, int b = 3) { return a + b; }" BULK "int f(int a) { return g(a); }",
                "cpp"},
        Wrapper{"CXXRewrittenBinaryOperator",
                "struct S { int a; bool operator==(const S &s) const { return a == s.a; } };" BULK
                "bool f(S *a) { return a[0] != a[1]; }",
                "cpp"},
        Wrapper{"OpaqueValueExpr", BULK "int f(int a) { return a ?: 3; }", "c"}));

class WrapsAValue : public testing::TestWithParam<Wrapper> {};
TEST_P(WrapsAValue, IsTakenOff) {
  size_t count = countKind(GetParam(), [](const clang::Expr &expr) {
    EXPECT_EQ(wrappedExpr(expr), nullptr);
    EXPECT_NE(wrappedValue(expr), nullptr);
    EXPECT_EQ(&unwrapped(expr), &expr);
  });
  EXPECT_GT(count, 0u);
  EXPECT_SUPPORTED(lower({{GetParam().source, GetParam().suffix}}, {}));
}
INSTANTIATE_TEST_SUITE_P(
    Frontend, WrapsAValue,
    testing::Values(
        Wrapper{"MaterializeTemporaryExpr", BULK "int f(int a) { const int &r = a + 1; return r; }",
                "cpp"},
        Wrapper{"ImplicitCastExpr LValueToRValue", BULK "int f(int a) { return a; }", "c"},
        Wrapper{"ImplicitCastExpr NoOp", BULK "const int *f(int *a) { return a; }", "cpp"},
        Wrapper{"CStyleCastExpr NoOp", BULK "int f(int a) { return (int)a; }", "c"},
        Wrapper{"ImplicitCastExpr UserDefinedConversion",
                "struct S { int a; operator int() const { return a; } };" BULK
                "int f(S *s) { return *s; }",
                "cpp"},
        Wrapper{"CXXFunctionalCastExpr ConstructorConversion",
                "struct S { int a; S(int b) : a(b) {} };" BULK
                "int f(int a) { S s = S(a); return s.a; }",
                "cpp"}));

/// What does something of its own.
TEST(Wrappers, OthersAreKept) {
  size_t kept = 0;
  Wrapper source = {"", "int f(int *a, int b) { return -b + *a + (b = 2, b++) + (char)b; }", "c"};
  visitF(source, [&](const clang::Expr &expr) {
    if (!llvm::isa<clang::UnaryOperator, clang::BinaryOperator, clang::CStyleCastExpr>(expr))
      return;
    ++kept;
    EXPECT_EQ(wrappedValue(expr), nullptr) << kindOf(expr);
  });
  EXPECT_GE(kept, 8u);
}

/// What is known already is not evaluated again behind its node.
TEST(Wrappers, KnownValuesAreNotLookedBehind) {
  size_t opaque = 0;
  visitF({"", "int f(int a) { return (a) ?: 3; }", "c"}, [&](const clang::Expr &expr) {
    if (!llvm::isa<clang::OpaqueValueExpr>(expr))
      return;
    ++opaque;
    EXPECT_EQ(&unwrapped(expr), &expr);
  });
  EXPECT_GT(opaque, 0u);
}

/// What is returned, in the form that each function leaves.
void expectReturned(const char *source, const char *suffix, const char *expectSpelled,
                    const char *expectWithoutCasts) {
  size_t returned = 0;
  visitReturned({"", source, suffix}, [&](const clang::Expr &expr) {
    ++returned;
    EXPECT_EQ(kindOf(spelled(expr)), expectSpelled) << source;
    EXPECT_EQ(kindOf(withoutCasts(expr)), expectWithoutCasts) << source;
  });
  EXPECT_EQ(returned, 1u);
}

TEST(Wrappers, FormsAreWhatAPersonWrote) {
  expectReturned("long f(int a) { return (a); }", "c", "DeclRefExpr", "DeclRefExpr");
  expectReturned("long f(int a) { return (char)(a); }", "c", "CStyleCastExpr IntegralCast",
                 "DeclRefExpr");
  expectReturned("void f(int a) { return (void)(a + 1); }", "cpp", "CStyleCastExpr ToVoid",
                 "BinaryOperator");
  expectReturned("const int &g(); int f() { return g(); }", "cpp", "CallExpr", "CallExpr");
  expectReturned("struct S { S(const S &); }; S g(); S f() { return g(); }", "cpp", "CallExpr",
                 "CallExpr");
  expectReturned("const char *f() { return \"text\"; }", "c", "StringLiteral", "StringLiteral");
}

} // namespace

//===- UnsupportedTests.cpp - What is outside the subset ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each construct is named at its place, and the rest of the function stays well formed.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace colonnade;
using namespace colonnade::test;

namespace {

TEST(Frontend, MissingBodyIsNamed) {
  EXPECT_UNSUPPORTED(lowerC("int g(int); int f(int a) { return g(a); }"),
                     "call of 'g', which has no visible body; name the file that defines it, too");
}

struct Construct {
  const char *source;
  const char *text;
};

class UnsupportedInC : public testing::TestWithParam<Construct> {};
TEST_P(UnsupportedInC, IsNamed) { EXPECT_UNSUPPORTED(lowerC(GetParam().source), GetParam().text); }
INSTANTIATE_TEST_SUITE_P(
    Frontend, UnsupportedInC,
    testing::Values(
        Construct{"void f(int *a) { x: a[0]++; if (a[0] < 3) goto x; }", "goto"},
        Construct{"void f(int *a) { __asm__(\"nop\"); a[0] = 1; }", "inline assembly"},
        Construct{"int f(int *a) { volatile int v = a[0]; return v; }", "volatile"},
        Construct{"int f(volatile int *a) { return a[0]; }", "volatile access"},
        Construct{"int f(_Atomic int *a) { return *a; }", "atomic type"},
        Construct{"int g; int f(int a) { return g + a; }", "mutable global 'g'"},
        Construct{"int f(int a) { static int s; s += a; return s; }", "mutable static 's'"},
        Construct{"long double f(long double a) { return a; }", "long double"},
        Construct{"double f(double _Complex *a) { return __real__ *a; }", "complex"},
        Construct{"struct s { long b : 40; }; int f(struct s *s) { return s->b; }",
                  "bit-field wider than int in C"},
        Construct{"union u { int i; short x; }; int f(union u *u) { return u->i; }", "union"},
        Construct{"int f(int (*g)(int), int a) { return g(a); }", "function pointer"},
        Construct{"void f(void) { void *p = f; switch (p == f) case 1: p = f; }",
                  "function pointer"},
        Construct{"int f(__int128 *a) { return (int)*a; }", "__int128"},
        Construct{"#include <stdio.h>\nvoid f(int *a) { printf(\"%d\", *a); }", "input or output"},
        Construct{"#include <stdlib.h>\nvoid f(int **a) { *a = malloc(4); }", "dynamic memory"},
        Construct{"#include <fenv.h>\nvoid f(int *a) { a[0] = fesetround(0); }",
                  "floating-point environment"},
        Construct{"int f(int *a) { return (int)(long)a; }", "pointer and integer"},
        Construct{"int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return n; }",
                  "builtin function"},
        Construct{"typedef float v4 __attribute__((vector_size(16)));\n"
                  "float f(v4 *a) { return (*a)[0]; }",
                  "vector"},
        Construct{"int f(int n, int *a) { int k = n * a[0]; int t[k]; t[0] = 1; return t[0]; }",
                  "variable-length array"},
        Construct{"int f(int n, int *a) { switch (n) { case 0: do { a[0]++; case 1: a[1]++; } "
                  "while (a[0] < n); } return 0; }",
                  "case label inside"},
        Construct{"int f(const int *a) { int k = 0; int t[4] = {[0 ... 3] = a[k++]}; "
                  "return t[0] + k; }",
                  "range designator whose value has side effects"},
        Construct{
            "union u { int i; char c[4]; }; int f(int a) { union u x; x.i = a; "
            "return x.c[0]; }",
            "variable of union 'union u' of members that are no numbers of one width (shift"}));

class UnsupportedInCxx : public testing::TestWithParam<Construct> {};
TEST_P(UnsupportedInCxx, IsNamed) {
  EXPECT_UNSUPPORTED(lowerCxx(GetParam().source), GetParam().text);
}
INSTANTIATE_TEST_SUITE_P(
    Frontend, UnsupportedInCxx,
    testing::Values(
        Construct{"int f(int a) { if (a) throw 3; return a; }", "throw expression"},
        Construct{"int f(int a) { try { a++; } catch (...) {} return a; }", "exception handling"},
        Construct{"int f(int a) { int *p = new int(a); return *p; }", "new expression"},
        Construct{"void f(int *a) { delete a; }", "delete expression"},
        Construct{"struct S { virtual int v(int a) { return a; } };"
                  "int f(S &s) { return s.v(3); }",
                  "virtual call"},
        Construct{"struct D { int x; ~D() { x = 1; } }; int f(int a) { D d; d.x = a; return d.x; }",
                  "variable of type 'D', whose destructor is not trivial (do what it does"},
        Construct{
            "#include <vector>\nint f(int *a) { std::vector<int> v(3); v[0] = a[0]; "
            "return v[0]; }",
            "variable of type 'std::vector<int>', whose destructor is not trivial (instead of"},
        Construct{"#include <optional>\nint f(int *a) { std::optional<int> o = a[0]; return *o; }",
                  "variable of 'std::optional' (keep a flag beside the value)"},
        Construct{"void g(int *); int f(int *a) { [[gnu::cleanup(g)]] int x = a[0]; return x; }",
                  "variable of attribute 'cleanup' (call the function where the scope ends)"},
        Construct{"struct S { int m(int a) { return a; } }; int f(S s, int (S::*p)(int)) "
                  "{ return (s.*p)(3); }",
                  "pointer to member"},
        Construct{"#include <compare>\nint f(int *a) { auto c = a[0] <=> a[1]; return c < 0; }",
                  "operator '<=>' (compare with '<' and '==')"},
        Construct{"int f(int &&a, int (&g)(int)) { return g(a); }", "function pointer"}));

/// Found with random and with large sources: an Unsupported op must leave the rest well formed.
TEST(Frontend, RestStaysWellFormed) {
  EXPECT_UNSUPPORTED(lowerC("union u { int i; short x; }; int f(int k) {"
                            " union u t[3] = {{1}}; return t[k].i; }"),
                     "union");
  EXPECT_UNSUPPORTED(lowerCxx("struct A { int a; }; struct B : virtual A { int b; };"
                              "int g(A &a) { return a.a; } int f(B &b) { return g(b); }"),
                     "virtual base");
  EXPECT_UNSUPPORTED(lowerCxx("struct V { int &r; V(int &x) : r(x) {} virtual ~V() {} };"
                              "int f(int x) { V v(x); return v.r; }"),
                     "virtual functions");
}

} // namespace

//===- SelectionTests.cpp - Which functions are lowered -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, signatures, template instances, marks, and links between files.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "Frontend/Frontend.h"

using namespace colonnade;
using namespace colonnade::test;

namespace {

TEST(Frontend, UnknownAndAmbiguousNames) {
  Lowered unknown = lowerC("void fast(int *a) { *a = 1; }", "fats");
  EXPECT_TRUE(unknown.failed);
  EXPECT_TRUE(contains(unknown, "did you mean 'fast'")) << unknown.text;
  std::string overloads = "int f(int a) { return a; } int f(float a) { return 2; }";
  Lowered ambiguous = lowerCxx(overloads);
  EXPECT_TRUE(ambiguous.failed);
  EXPECT_TRUE(contains(ambiguous, "f(int) at ")) << ambiguous.text;
  EXPECT_TRUE(contains(ambiguous, "f(float) at ")) << ambiguous.text;
  EXPECT_SUPPORTED(lowerCxx(overloads, "f(float)"));
  EXPECT_TRUE(lowerCxx(overloads, "f(double)").failed);
}

TEST(Frontend, QualifiedNamesAndSignatures) {
  std::string source = "namespace ns { struct S { static int s(int a) { return a; } };"
                       "  void g(int *a, unsigned n) { a[n] = 1; } }"
                       "extern \"C\" void h(int *a) { a[0] = 2; }";
  for (const char *name :
       {"ns::g", "::ns::g", "ns::g(int*,unsigned int)", "ns::g(int *, unsigned)", "ns::S::s", "h"})
    EXPECT_SUPPORTED(lowerCxx(source, name));
}

TEST(Frontend, TemplateInstances) {
  std::string source = "namespace ns { template <class T, int N> void t(T *a) {"
                       " for (int i = 0; i < N; ++i) a[i] = a[i] * 2; } }";
  EXPECT_SUPPORTED(lowerCxx(source, "ns::t<float,8>"));
  EXPECT_SUPPORTED(lowerCxx(source + " void use(int *a) { ns::t<int, 4>(a); }", "ns::t<int, 4>"));
  EXPECT_TRUE(lowerCxx(source, "ns::t<8>").failed);
}

TEST(Frontend, CompileErrorIsAnError) {
  EXPECT_TRUE(lowerC("void f(int *a) { a[0] = ; }").failed);
  FrontendOptions options;
  options.files = {"/nonexistent/file.c"};
  auto result = lowerSources(options);
  EXPECT_FALSE(result);
  EXPECT_EQ(llvm::toString(result.takeError()), "no such file '/nonexistent/file.c'");
}

TEST(Frontend, MarkedFunctionsAreEntries) {
  std::string mark = "__attribute__((annotate(\"colonnade.bulk\"))) ";
  Lowered marked =
      lower({{mark + "void f(int *a) { *a = 1; } void g(int *a) { *a = 2; }", "c"}}, {});
  EXPECT_TRUE(contains(marked, "func \"f\""));
  EXPECT_FALSE(contains(marked, "func \"g\""));
}

TEST(Frontend, TheOnlyCandidateIsTheEntry) {
  EXPECT_TRUE(contains(lower({{"void f(int *a) { *a = 1; }", "c"}}, {}), "func \"f\""));
  EXPECT_TRUE(lower({{"void f(int *a) { *a = 1; } void g(int *a) { *a = 2; }", "c"}}, {}).failed);
}

TEST(Frontend, FilesLinkByMangledName) {
  EXPECT_SUPPORTED(
      lower({{"int g(int); extern const int table[3];"
              "int f(int a) { return g(a) + table[a]; }",
              "cpp"},
             {"int g(int a) { return a + 1; } extern const int table[3] = {1, 2, 3};", "cpp"}},
            {"f"}));
  // Internal linkage: each file has its own.
  Lowered statics =
      lower({{"static int h(int a) { return a + 1; } int g(int);"
              "int f(int a) { return g(a) + h(a); }",
              "c"},
             {"static int h(int a) { return a + 7; } int g(int a) { return h(a); }", "c"}},
            {"f"});
  EXPECT_SUPPORTED(statics);
  EXPECT_TRUE(contains(statics, "const 7"));
}

TEST(Frontend, MemberFunctionAsEntry) {
  EXPECT_UNSUPPORTED(lowerCxx("struct S { int x; int m() { return x; } };", "S::m"),
                     "member function as an entry");
}

} // namespace

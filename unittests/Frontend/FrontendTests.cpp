//===- FrontendTests.cpp - Lowers small sources and checks the result -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every source is lowered and the raw IR verified. `SourceTest` says which texts
// must and must not occur in the printed IR.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Frontend.h"
#include "IR/Printer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace colonnade;

namespace {

struct Lowered {
  std::string text; // printed module, or the error
  bool failed = false;
};

std::string writeSource(const std::string &source, const char *suffix) {
  llvm::SmallString<128> path;
  int descriptor = 0;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("frontend", suffix, descriptor, path));
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << source;
  return path.str().str();
}

/// The text of a file in Inputs.
std::string input(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(COLONNADE_TEST_INPUTS "/" + name);
  EXPECT_TRUE(file) << name;
  return file ? (*file)->getBuffer().str() : "";
}

Lowered lower(const std::vector<std::pair<std::string, const char *>> &sources,
              std::vector<std::string> functions) {
  FrontendOptions options;
  for (const auto &[source, suffix] : sources)
    options.files.push_back(writeSource(source, suffix));
  options.functions = std::move(functions);
  llvm::Expected<FrontendResult> result = lowerSources(options);
  for (const std::string &file : options.files)
    llvm::sys::fs::remove(file);
  Lowered lowered;
  if (!result) {
    lowered.failed = true;
    lowered.text = llvm::toString(result.takeError());
    return lowered;
  }
  llvm::raw_string_ostream out(lowered.text);
  ir::print(out, result->module);
  for (const ir::Function &function : result->module.functions)
    if (llvm::Error error = ir::verify(result->module, function))
      ADD_FAILURE() << llvm::toString(std::move(error)) << "\n" << lowered.text;
  return lowered;
}

Lowered lowerC(const std::string &source, const std::string &function = "f") {
  return lower({{source, "c"}}, {function});
}
Lowered lowerCxx(const std::string &source, const std::string &function = "f") {
  return lower({{source, "cpp"}}, {function});
}

bool contains(const Lowered &lowered, const std::string &text) {
  return lowered.text.find(text) != std::string::npos;
}

#define EXPECT_SUPPORTED(lowered)                                                                  \
  do {                                                                                             \
    Lowered result_ = (lowered);                                                                   \
    EXPECT_FALSE(result_.failed) << result_.text;                                                  \
    EXPECT_FALSE(contains(result_, "unsupported")) << result_.text;                                \
  } while (false)
#define EXPECT_UNSUPPORTED(lowered, what)                                                          \
  do {                                                                                             \
    Lowered result_ = (lowered);                                                                   \
    EXPECT_FALSE(result_.failed) << result_.text;                                                  \
    EXPECT_TRUE(contains(result_, "unsupported")) << result_.text;                                 \
    EXPECT_TRUE(contains(result_, what)) << result_.text;                                          \
  } while (false)

TEST(Frontend, PrefixSums) {
  EXPECT_SUPPORTED(
      lowerC("void f(float *b, int n) { for (int i = 1; i < n; i++) b[i] += b[i-1]; }"));
}

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
  EXPECT_TRUE(lower({{"void f(int *a) { *a = 1; }", "c"}}, {}).failed);
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

TEST(Frontend, MissingBodyIsNamed) {
  EXPECT_UNSUPPORTED(lowerC("int g(int); int f(int a) { return g(a); }"),
                     "call of 'g', which has no visible body");
}

TEST(Frontend, CxxSubset) {
  const char *names[] = {"ns::g",   "vecs",  "arrays", "mathy", "tables", "lambdas",
                         "classes", "sw",    "loops",  "enums", "ops",    "mem",
                         "bits",    "recur", "misc",   "byval", "ret",    "big"};
  EXPECT_SUPPORTED(lower({{input("subset.cpp"), "cpp"}}, {std::begin(names), std::end(names)}));
}

TEST(Frontend, CSubset) {
  const char *names[] = {"vla",    "structs", "use_make", "ptrs", "macros",
                         "tables", "logic",   "chars",    "dup"};
  EXPECT_SUPPORTED(lower({{input("subset.c"), "c"}}, {std::begin(names), std::end(names)}));
  EXPECT_UNSUPPORTED(lowerC(input("subset.c"), "cmath"),
                     "call of 'nextafter', a function of <cmath> outside the subset");
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
        Construct{"struct s { int b : 3; }; int f(struct s *s) { return s->b; }", "bit-field"},
        Construct{"union u { int i; float x; }; int f(union u *u) { return u->i; }", "union"},
        Construct{"int f(int (*g)(int), int a) { return g(a); }", "function pointer"},
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
                  "case label inside"}));

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
                  "non-trivial destructor"},
        Construct{"struct S { int m(int a) { return a; } }; int f(S s, int (S::*p)(int)) "
                  "{ return (s.*p)(3); }",
                  "pointer to member"},
        Construct{"int f(int &&a, int (&g)(int)) { return g(a); }", "function pointer"}));

/// Found with random and with large sources: an Unsupported op must leave the rest well formed.
TEST(Frontend, RestStaysWellFormed) {
  EXPECT_UNSUPPORTED(lowerC("union u { int i; float x; }; int f(int k) {"
                            " union u t[3] = {{1}}; return t[k].i; }"),
                     "union");
  EXPECT_UNSUPPORTED(lowerCxx("struct A { int a; }; struct B : virtual A { int b; };"
                              "int g(A &a) { return a.a; } int f(B &b) { return g(b); }"),
                     "virtual base");
  EXPECT_UNSUPPORTED(lowerCxx("struct V { int &r; V(int &x) : r(x) {} virtual ~V() {} };"
                              "int f(int x) { V v(x); return v.r; }"),
                     "virtual functions");
}

TEST(Frontend, MemberFunctionAsEntry) {
  EXPECT_UNSUPPORTED(lowerCxx("struct S { int x; int m() { return x; } };", "S::m"),
                     "member function as an entry");
}

TEST(Frontend, BarrierIsNoInstruction) {
  EXPECT_SUPPORTED(lowerC("void f(int *a) { int x = *a; __asm__(\"\" : \"+r\"(x)); *a = x; }"));
  EXPECT_UNSUPPORTED(lowerC("void f(int *a) { int x; __asm__(\"\" : \"=r\"(x)); *a = x; }"),
                     "inline assembly");
}

TEST(Frontend, ParameterFacts) {
  Lowered lowered = lowerCxx(R"source(
#define ANNOTATE(x) __attribute__((annotate("colonnade." x)))
constexpr int K = 4;
void f(float *a ANNOTATE("extent:n * K"), const int t[7] ANNOTATE("uniform"), float (&r)[3],
       float s ANNOTATE("instance"), int n, double m[][5]) {})source");
  for (const char *text : {"param a : ptr !0 count [n*4]", "count [7] const uniform",
                           "count [1] reference", "param s : f32 instance"})
    EXPECT_TRUE(contains(lowered, text)) << text << "\n" << lowered.text;
}

} // namespace

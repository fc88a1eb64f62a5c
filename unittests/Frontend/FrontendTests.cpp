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
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace colonnade;

namespace {

struct Lowered {
  std::string text;  // printed module, or the error
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
  for (const char *name : {"ns::g", "::ns::g", "ns::g(int*,unsigned int)", "ns::g(int *, unsigned)",
                           "ns::S::s", "h"})
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
  Lowered marked = lower({{mark + "void f(int *a) { *a = 1; } void g(int *a) { *a = 2; }", "c"}}, {});
  EXPECT_TRUE(contains(marked, "func \"f\""));
  EXPECT_FALSE(contains(marked, "func \"g\""));
  EXPECT_TRUE(lower({{"void f(int *a) { *a = 1; }", "c"}}, {}).failed);
}

TEST(Frontend, FilesLinkByMangledName) {
  EXPECT_SUPPORTED(lower({{"int g(int); extern const int table[3];"
                           "int f(int a) { return g(a) + table[a]; }", "cpp"},
                          {"int g(int a) { return a + 1; } extern const int table[3] = {1, 2, 3};", "cpp"}},
                         {"f"}));
  // Internal linkage: each file has its own.
  Lowered statics = lower({{"static int h(int a) { return a + 1; } int g(int);"
                            "int f(int a) { return g(a) + h(a); }", "c"},
                           {"static int h(int a) { return a + 7; } int g(int a) { return h(a); }", "c"}},
                          {"f"});
  EXPECT_SUPPORTED(statics);
  EXPECT_TRUE(contains(statics, "const 7"));
}

TEST(Frontend, MissingBodyIsNamed) {
  EXPECT_UNSUPPORTED(lowerC("int g(int); int f(int a) { return g(a); }"),
                     "call of 'g', which has no visible body");
}

const char *const CxxSource = R"source(
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <cstdint>
#include <bit>
#include <numeric>
namespace ns { void g(int *a, int n) { for (int i = 0; i < n; ++i) a[i] = std::min(a[i], 3); } 
  template <class T, int N> void t(T *a) { for (int i = 0; i < N; ++i) a[i] = a[i] * 2; } }
struct Vec { float x, y, z; 
  Vec operator+(const Vec &o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec &operator+=(const Vec &o) { x += o.x; y += o.y; z += o.z; return *this; }
  float dot(Vec o) const { return x*o.x + y*o.y + z*o.z; }
  float &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; } };
inline Vec operator*(float s, Vec v) { v.x *= s; v.y *= s; v.z *= s; return v; }
void vecs(Vec *a, const Vec *b, int n, float s) { for (int i = 0; i < n; i++) { a[i] += s * b[i]; a[i] = a[i] + b[i]; a[i].x = a[i].dot(b[i]); } }
void arrays(std::array<float, 8> &a, const std::array<std::array<int,3>,2> &m, float (&c)[4]) {
  for (float &x : a) x += 1.0f; for (auto x : a) c[0] += x; for (auto &row : m) for (int v : row) c[1] += v;
  a[3] = a.at(2) + a.front() + a.back() + a.size(); std::swap(a[0], a[1]); a.fill(2.0f);
  std::array<float, 8> b = a; b[0] = 1; a = b; std::array<int, 4> z{}; std::array<int,4> q{1,2}; c[2] = z[1] + q[1] + std::get<1>(q);
  c[3] = *std::max_element(a.begin(), a.end()); }
double mathy(double x, float y, int k) { return std::sqrt(x) + std::sin(y) + std::pow(x, 2.5) + std::fma(x, x, x) + sqrtf(y) + std::fabs(y) + std::abs(k) + std::abs(x)
  + std::floor(y) + std::round(x) + std::isnan(x) + std::sqrt(k) + std::max(x, 1.0) + std::clamp(x, 0.0, 1.0) + std::hypot(x, x) + std::fmin(x, 1.0) + std::copysign(x, -1.0) + std::min({x, 2.0, 3.0}) + std::lround(x) + std::pow(x, 2) + std::atan2(y, y) + std::exp(y) + fabsf(y) + __builtin_fmaf(y,y,y) + INFINITY + std::signbit(x) + std::trunc(x) + std::log2(x)+ std::isfinite(y); }
constexpr int tab[4][2] = {{1,2},{3,4},{5,6}}; static const struct { int a; float b[2]; } stab[2] = {{1,{2,3}},{4,{5,6}}};
constexpr std::array<int,3> ctab{7,8,9};
int tables(int i, int j) { static const int loc[] = {1,2,3}; const int l2[3] = {4,5,6}; constexpr int K = 5; int s = 0; for (int k = 0; k < 3; ++k) s += loc[k] + l2[k] + ctab[k]; const auto &r = stab[i]; return tab[i][j] + stab[j].a + (int)stab[i].b[j] + K + s + r.a + "abc"[i]; }
int lambdas(int *a, int n) { int s = 0; auto add = [&](int v) { s += v; return s; }; auto mul = [n](int v) { return v * n; }; auto both = [&, k = 3](auto v) { return add(v) + mul(v) + k; };
  for (int i = 0; i < n; ++i) a[i] = both(a[i]); auto apply = [](auto f, int x) { return f(x); }; return apply(mul, s) + [=] { return n; }(); }
struct Base { int b = 4; int get() const { return b; } }; struct Derived : Base { int arr[3] = {1,2,3}; int d; Derived(int v, int w = 2) : d(v + w) { arr[0] = get(); } };
int classes(int n) { Derived d(n), e{n, 3}; Derived f = d; f = e; Derived g[2] = {Derived(1), Derived(2)}; return d.arr[1] + e.d + f.get() + g[1].d; }
int sw(int x, int *a) { int r; switch (x) { case 0: r = 1; break; case 1: a[0] = 1; case 2: case 3: r = a[1]; break; case 10 ... 20: r = 7; break; default: r = 5; } switch (a[0]) { default: r++; case 4: r += 2; break; case 5: return 9; } 
 for (int i = 0; i < 4; i++) { switch (i) { case 1: continue; case 2: a[i] = 3; break; case 3: a[0]++; } r += i; } return r; }
int loops(int *a, int n) { int s = 0, i = 0; do { if (a[i] == 3) continue; if (a[i] == 4) break; s += a[i]; } while (++i < n); while (int k = n - i) { s += k; i++; if (s > 100) return s; } for (;;) { if (s++ > 10) break; } 
  for (int *p = a, *e = a + n; p != e; ++p) s += *p; int *q = a; while (n-- > 0) *q++ = s; return s; }
enum class E : unsigned char { A, B = 3 }; enum Old { X, Y };
int enums(E e, Old o, bool b, char c, unsigned short u, long long l) { return e == E::B ? Y : (int)o + b + c + u + (int)l + static_cast<int>(e); }
int ops(int a, unsigned b, float f, short s) { s += 3; s++; --s; a <<= 2; b >>= 1; a ^= 5; a %= 7; f /= 2; f++; bool t = a && b || !f; t |= a > 3; a = (b++, b); a = b = 3; int c = a++; return -a + ~a + +a + (a ?: 4) + t + s + c + (int)f; }
void mem(float *a, const float *b, int n, int m[4][4]) { std::memcpy(a, b, n * sizeof(float)); memset(a, 0, 8 * sizeof *a); memmove(a, a + 1, sizeof(float) * n); int t[4][4]; memcpy(t, m, sizeof t); memset(t[1], 0, sizeof t[1]); std::memcpy(&m[0][0], t, sizeof(t)); 
  uint32_t u; float f = a[0]; memcpy(&u, &f, 4); a[1] = std::bit_cast<float>(u + 1); memcpy(a, b, n); }
int bits(unsigned x, unsigned long long y, uint8_t z) { return std::popcount(x) + __builtin_clz(x) + __builtin_ctzll(y) + std::countl_zero(z) + std::rotl(x, 3) + __builtin_bswap32(x) + __builtin_parity(x) + std::rotr(z, 2) + std::countr_zero(z)+ std::popcount(z); }
template <class T> T gcdT(T a, T b) { return b == 0 ? a : gcdT(b, a % b); }
int recur(int a, int b) { return gcdT(a, b); }
int misc(int *a, int n) { auto [x, y] = std::pair<int,int>(a[0], a[1]); struct P { int u, v; } p{1, 2}; auto &[pu, pv] = p; pu = 5; int arr[3] = {1,2,3}; auto [q, r, s] = arr; int acc = std::accumulate(a, a + n, 0); std::fill(a, a + n, 3); std::copy(a, a + 2, a + 4); std::reverse(a, a + n); std::iota(a, a+n, 0); std::fill_n(a, n, 2); return x + y + pu + pv + q + r + s + acc + std::exchange(a[0], 4); }
float byval(Vec v, Vec *out) { v.x = 3; *out = v; out[1] = Vec{}; out[2] = Vec{.y = 2}; return v.y; }
Vec ret(bool c, const Vec &a, const Vec &b) { if (c) return a; return c ? b : Vec{1,2,3}; }
int big(int k) { int t[32] = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19}; int z[10] = {}; int w[4] = {k, k}; int m[2][3] = {{1},{2,3}}; char s[] = "hey"; t[k] = 2; return t[3] + z[1] + w[2] + m[1][1] + s[0]; }
)source";

TEST(Frontend, CxxSubset) {
  const char *names[] = {"ns::g", "vecs", "arrays", "mathy", "tables", "lambdas", "classes", "sw",
                         "loops", "enums", "ops", "mem", "bits", "recur", "misc", "byval", "ret",
                         "big"};
  EXPECT_SUPPORTED(lower({{CxxSource, "cpp"}}, {std::begin(names), std::end(names)}));
}

const char *const CSource = R"source(
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct inner { float w[3]; int k; };
struct outer { struct inner in[2]; double d; bool b; };
#define SQ(x) ((x) * (x))
#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
void vla(int n, float a[n][n], float b[restrict static n], float (*c)[n + 1]) {
  float tmp[n];
  for (int i = 0; i < n; i++) { tmp[i] = b[i]; a[i][i] = tmp[i]; c[i][n] = a[i][0]; } }
void structs(struct outer *o, struct outer v, const struct inner *in) {
  struct outer l = {.d = 1, .in = {{{1, 2}}, {.k = 3}}};
  *o = v; o->in[1] = *in; o->in[0].w[2] += l.in[1].w[0]; l = *o; o[1] = l; v.d = 2; o->d = v.d;
  struct inner *p = &o->in[1]; p->k++; (*p).w[0] = (struct inner){.w = {5}}.w[0]; }
struct inner make(int k) { struct inner r = {{0}, k}; return r; }
int use_make(int k) { return make(k).k + make(2).w[1]; }
int ptrs(int *a, int n) { int *p = a + n, **pp = &p; *--p = 3; p -= 2; (*pp)++; if (!a || p == a) return 0;
  for (const int *q = a, *e = a + n; q < e; q += 2) n += *q; return (int)(p - a) + n + *(2 + a) + 1[a]; }
double cmath(double x, float y) { return sqrt(x) + sinf(y) + fabs(x) + abs(-3) + fmaxf(y, 1) + pow(x, y) + isnan(x) + (isinf(y) != 0) + M_PI + HUGE_VAL + NAN + signbit(x) + lrint(x) + nearbyint(x) + nextafter(x, 1); }
int macros(int *a) { SWAP(a[0], a[1]); return SQ(a[0]); }
static const uint8_t sbox[16] = {3, 1, 4, 1, 5};
static const struct { int a, b; } pairs[2] = {{1, 2}, {3, 4}};
int tables(int i) { static const double w[2][2] = {{1, 2}, {3, 4}}; const int n = 5; return sbox[i] + pairs[i].b + (int)w[1][i] + n + "xyz"[i]; }
bool logic(bool a, char c, _Bool *b) { b[0] = c; b[1]++; b[1]--; return a && c ? b[0] : b[1] || !c; }
unsigned char chars(signed char s, unsigned char u, short h) { s <<= 1; u += s; h *= u; u = ~u; return u ^ h >> 2; }
int dup(int x, int *a) { while (x-- > 0) { switch (x & 3) { case 0: a[0]++; /* fall through */ case 1: a[1]++; if (a[1] > 3) break; case 2: a[2]++; continue; default: return a[2]; } a[3]++; } return 0; }
)source";

TEST(Frontend, CSubset) {
  const char *names[] = {"vla", "structs", "use_make", "ptrs", "macros", "tables", "logic",
                         "chars", "dup"};
  EXPECT_SUPPORTED(lower({{CSource, "c"}}, {std::begin(names), std::end(names)}));
  EXPECT_UNSUPPORTED(lowerC(CSource, "cmath"), "call of 'nextafter', a function of <cmath> outside the subset");
}

struct Construct {
  const char *source;
  const char *text;
};

class UnsupportedInC : public testing::TestWithParam<Construct> {};
TEST_P(UnsupportedInC, IsNamed) {
  EXPECT_UNSUPPORTED(lowerC(GetParam().source), GetParam().text);
}
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
                  "float f(v4 *a) { return (*a)[0]; }", "vector"},
        Construct{"int f(int n, int *a) { int k = n * a[0]; int t[k]; t[0] = 1; return t[0]; }",
                  "variable-length array"},
        Construct{"int f(int n, int *a) { switch (n) { case 0: do { a[0]++; case 1: a[1]++; } "
                  "while (a[0] < n); } return 0; }", "case label inside"}));

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
                  "int f(S &s) { return s.v(3); }", "virtual call"},
        Construct{"struct D { int x; ~D() { x = 1; } }; int f(int a) { D d; d.x = a; return d.x; }",
                  "non-trivial destructor"},
        Construct{"struct S { int m(int a) { return a; } }; int f(S s, int (S::*p)(int)) "
                  "{ return (s.*p)(3); }", "pointer to member"},
        Construct{"int f(int &&a, int (&g)(int)) { return g(a); }", "function pointer"}));

/// Found with random and with large sources: an Unsupported op must leave the rest well formed.
TEST(Frontend, RestStaysWellFormed) {
  EXPECT_UNSUPPORTED(lowerC("union u { int i; float x; }; int f(int k) {"
                            " union u t[3] = {{1}}; return t[k].i; }"), "union");
  EXPECT_UNSUPPORTED(lowerCxx("struct A { int a; }; struct B : virtual A { int b; };"
                              "int g(A &a) { return a.a; } int f(B &b) { return g(b); }"),
                     "virtual base");
  EXPECT_UNSUPPORTED(lowerCxx("struct V { int &r; V(int &x) : r(x) {} virtual ~V() {} };"
                              "int f(int x) { V v(x); return v.r; }"), "virtual functions");
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

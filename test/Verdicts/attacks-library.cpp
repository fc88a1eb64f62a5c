// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// Evaluations in iterators, defaulted copies, explicit objects, and through the standard library; odd operands.
// Functions with an x are refused, those with a t are their twins.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <variant>
#define L (b[a[0] & 7] = 1)
#define U (b[3] = 1)
// 1 range-for over classes
struct It1 { const int *a; int *b; int i; int operator*() const { return i; } It1 &operator++() { L; ++i; return *this; } bool operator!=(const It1 &o) const { return i != o.i; } };
struct Ra1 { const int *a; int *b; It1 begin() const { return {a, b, 0}; } It1 end() const { return {a, b, 3}; } };
// expect NSKTRU
int x1(const int a[16], int b[16]) { int s = 0; for (int v : Ra1{a, b}) s += v; return s; }
struct It1t { const int *a; int *b; int i; int operator*() const { return a[i]; } It1t &operator++() { U; ++i; return *this; } bool operator!=(const It1t &o) const { return i != o.i; } };
struct Ra1t { const int *a; int *b; It1t begin() const { return {a, b, 0}; } It1t end() const { return {a, b, 3}; } };
// expect AP
int t1(const int a[16], int b[16]) { int s = 0; for (int v : Ra1t{a, b}) s += v; return s; }
namespace adl { struct R2 { const int *a; int *b; }; int *begin(const R2 &r) { const int *a = r.a; int *b = r.b; L; return b; } int *end(const R2 &r) { return r.b + 3; } }
// expect NSKTRU
int x2(const int a[16], int b[16]) { int s = 0; for (int &v : adl::R2{a, b}) s += v; return s; }
namespace adlt { struct R2 { const int *a; int *b; }; int *begin(const R2 &r) { int *b = r.b; U; return b; } int *end(const R2 &r) { return r.b + 4; } }
// expect AP
int t2(const int a[16], int b[16]) { int s = a[0]; for (int &v : adlt::R2{a, b}) s += v; return s; }
// 3 defaulted assignment
struct M3 { const int *a; int *b; M3 &operator=(const M3 &o) { L; return *this; } };
struct S3 { int k; M3 m[2]; };
// expect NSKTRU
int x3(const int a[16], int b[16]) { S3 p{1, {{a, b}, {a, b}}}, q{2, {{a, b}, {a, b}}}; p = q; return p.k; }
struct M3t { const int *a; int *b; M3t &operator=(const M3t &o) { U; return *this; } };
struct S3t { int k; M3t m; };
// expect AP
int t3(const int a[16], int b[16]) { S3t p{1, {a, b}}, q{2, {a, b}}; p = q; return p.k + a[0]; }
// 4 arrays in defaulted copies
struct M4 { int v; int *b; const int *a; M4(const int *a, int *b) : v(1), b(b), a(a) {} M4(const M4 &o) : v(o.v), b(o.b), a(o.a) { L; } };
struct S4 { M4 m[2]; };
// expect NSKTRU
int x4(const int a[16], int b[16]) { S4 s{{{a, b}, {a, b}}}; S4 t = s; return t.m[1].v; }
struct M4t { int v; int *b; const int *a; M4t(const int *a, int *b) : v(1), b(b), a(a) {} M4t(const M4t &o) : v(o.v), b(o.b), a(o.a) { U; } };
struct S4t { M4t m[2]; };
// expect AP
int t4(const int a[16], int b[16]) { S4t s{{{a, b}, {a, b}}}; S4t t = s; return t.m[1].v + a[0]; }
// 5 explicit object parameters, static operators
struct S5 { const int *a; int *b; int get(this S5 s, int k) { const int *a = s.a; int *b = s.b; return L + k; } static int operator()(int x) { return x; } static int operator[](int x, int y) { return x + y; } };
// expect NSKTRU
int x5(const int a[16], int b[16]) { return S5{a, b}.get(3); }
// expect NSKTRU
int x6(const int a[16], int b[16]) { S5 s{a, b}; return (L, s)(3); }
// expect NSKTRU
int x7(const int a[16], int b[16]) { S5 s[2] = {{a, b}, {a, b}}; return s[L & 1][1, 2]; }
struct S5t { const int *a; int *b; int get(this S5t s, int k) { int *b = s.b; return U + k; } static int operator()(int x) { return x; } static int operator[](int x, int y) { return x + y; } };
// expect AP
int t6(const int a[16], int b[16]) { S5t s{a, b}; return (U, s)(a[1]) + s[1, a[2]]; }
// 8 if consteval
constexpr int g8(const int *a, int *b) { if consteval { return 1; } else { return L; } }
// expect NSKTRU
int x8(const int a[16], int b[16]) { return g8(a, b); }
constexpr int g8t(const int *a, int *b) { if consteval { return 1; } else { return U; } }
// expect AP
int t8(const int a[16], int b[16]) { return g8t(a, b) + a[0]; }
// 9 lambdas in odd places
static int g9(const int *a, int *b, int k = [] { return 4; }()) { return b[k]; }
struct S10 { const int *a; int *b; int v = [this] { return b[a[0] & 7]; }(); };
// expect NSKTRU
int x10(const int a[16], int b[16]) { S10 s{a, b}; return 1; }
struct S10t { const int *a; int *b; int v = [this] { return b[5]; }(); };
// expect AP
int t10(const int a[16], int b[16]) { S10t s{a, b}; return s.v + g9(a, b); }
// expect NSKTRU
int x11(const int a[16], int b[16]) { auto f = [i = a[0] & 3]() mutable { return i++; }; f(); return b[f()]; }
// expect AP
int t11(const int a[16], int b[16]) { auto f = [i = 1]() mutable { return i++; }; f(); return b[f()] + a[0]; }
// expect NSKTRU
int x12(const int a[16], int b[16]) { auto f = [&](auto self, int k) -> int { return k ? self(self, k - 1) : L; }; return f(f, 3); }
// expect AP
int t12(const int a[16], int b[16]) { auto f = [&](auto self, int k) -> int { return k ? self(self, k - 1) + a[k] : U; }; return f(f, 3); }
// 13 library
// expect NSKTRU
int x13(const int a[16], int b[16]) { return std::exchange(b[a[0] & 7], 1); }
// expect AP
int t13(const int a[16], int b[16]) { return std::exchange(b[5], a[0]); }
// expect NSKTRU
int x14(const int a[16], int b[16]) { std::swap(b[0], b[a[0] & 7]); return 0; }
// expect AP
int t14(const int a[16], int b[16]) { std::swap(b[0], b[7]); return a[0]; }
// expect NSKTRU
int x15(const int a[16], int b[16]) { std::tie(b[0], b[a[0] & 7]) = std::make_tuple(1, 2); return 0; }
// expect AP
int t15(const int a[16], int b[16]) { std::tie(b[0], b[7]) = std::make_tuple(1, a[2]); return 0; }
// expect NSKTRU
int x16(const int a[16], int b[16]) { return std::apply([&](int i, int j) { return b[i] + b[j]; }, std::make_tuple(1, a[0] & 7)); }
// expect AP
int t16(const int a[16], int b[16]) { return std::apply([&](int i, int j) { return b[i] + b[j]; }, std::make_tuple(1, 2)) + a[0]; }
// expect NSKTRU
int x17(const int a[16], int b[16]) { return std::invoke([&](int i) { return b[i]; }, a[0] & 7); }
// expect AP
int t17(const int a[16], int b[16]) { return std::invoke([&](int i) { return b[i]; }, 6) + a[0]; }
// expect NSKTRU
int x18(const int a[16], int b[16]) { std::optional<int> o = a[0] & 7; return b[*o]; }
// expect NSKTRU
int x19(const int a[16], int b[16]) { std::variant<int, float> v = a[0] & 7; return b[std::get<0>(v)]; }
// expect NSKTRU
int x20(const int a[16], int b[16]) { std::function<int(int)> f = [&](int i) { return b[i]; }; return f(a[0] & 7); }
// expect NSKTRU
int x21(const int a[16], int b[16]) { std::span<int> s(b, 16); return s[a[0] & 7]; }
// expect AP
int t21(const int a[16], int b[16]) { std::span<int> s(b, 16); return s[3] + s.subspan(2, 4)[1] + a[0]; }
// expect NSKTRU
int x22(const int a[16], int b[16]) { return std::accumulate(b, b + (a[0] & 7), 0); }
// expect AP
int t22(const int a[16], int b[16]) { return std::accumulate(b, b + 7, a[0]); }
// expect NSKTRU
int x23(const int a[16], int b[16]) { return *std::lower_bound(b, b + 8, a[0]); }
// expect NSKTRU
int x24(const int a[16], int b[16]) { return *std::find(b, b + 8, a[0]); }
// expect P
int t24(const int a[16], int b[16]) { return std::find(b, b + 8, a[0]) - b; }
// expect NSKTRU
int x25(const int a[16], int b[16]) { return b[std::max_element(a, a + 8) - a]; }
// expect NSKTRU
int x26(const int a[16], int b[16]) { return *std::max_element(a, a + 8); }
// expect AP
int t27(const int a[16], int b[16]) { std::fill(b, b + 8, a[0]); std::copy(a, a + 4, b + 8); return std::inner_product(a, a + 4, b, 0); }
// expect NSKTRU
int x28(const int a[16], int b[16]) { std::copy(a, a + (a[0] & 7), b); return 0; }
// expect NSKTRU
int x29(const int a[16], int b[16]) { std::rotate(b, b + (a[0] & 3), b + 4); return 0; }
// expect NSKTRU
int x30(const int a[16], int b[16]) { auto m = [](std::initializer_list<int> l) { return (int)l.size(); }; return m({1, L}); }
// expect NSKTRU
int x31(const int a[16], int b[16]) { return reinterpret_cast<char &>(b[a[0] & 7]); }
// expect AP
int t31(const int a[16], int b[16]) { return reinterpret_cast<unsigned &>(b[6]) + a[0]; }
// expect NSKTRU
int x32(const int a[16], int b[16]) { return *std::launder(&b[a[0] & 7]); }
// expect AP
int t32(const int a[16], int b[16]) { return *std::launder(&b[6]) + a[0]; }
// expect NSKTRU
int x33(const int a[16], int b[16]) { return *std::addressof(b[a[0] & 7]); }
// expect AP
int t33(const int a[16], int b[16]) { return *std::addressof(b[6]) + a[0]; }
// 34 odd operands
struct E34 { int v; E34 *operator&() { return this + 1; } };
// expect NSKTRU
int x34(const int a[16], int b[16]) { E34 e[10] = {}; for (int i = 0; i < 10; i++) e[i].v = i; return (&e[a[0] & 7])->v; }
// expect AP
int t34(const int a[16], int b[16]) { E34 e[10] = {}; for (int i = 0; i < 10; i++) e[i].v = i + a[i]; return (&e[2])->v; }
// expect NSKTRU
int x35(const int a[16], int b[16]) { return *(&*&b[a[0] & 7]); }
// expect NSKTRU
int x36(const int a[16], int b[16]) { return (a[0] & 7)[b]; }
// expect AP
int t36(const int a[16], int b[16]) { return 7 [b] + a[0]; }
// expect NSKTRU
int x37(const int a[16], int b[16]) { return "abcdefgh"[a[0] & 7]; }
// expect AP
int t37(const int a[16], int b[16]) { return "abcdefgh"[5] + a[0]; }
// expect NSKTRU
int x38(const int a[16], int b[16]) { return __func__[a[0] & 1]; }
// expect AP
int t38(const int a[16], int b[16]) { return __func__[1] + a[0]; }
// expect NSKTRU
int x39(const int a[16], int b[16]) { using T = int[4]; return T{1, 2, 3, 4}[a[0] & 3]; }
// expect AP
int t39(const int a[16], int b[16]) { using T = int[4]; return T{1, 2, 3, a[0]}[3]; }
// 40 function-try, noexcept, attributes
// expect NSKTRU
int x40(const int a[16], int b[16]) try { return L; } catch (...) { return 2; }
// expect NSKTRU
int x41(const int a[16], int b[16]) { if (a[1] > 0) [[likely]] return b[0]; [[unlikely]] return L; }
// expect AP
int t41(const int a[16], int b[16]) { if (a[1] > 0) [[likely]] return b[0]; return U; }
// 42 conditional with throw, void operands
// expect NSKTRU
int x42(const int a[16], int b[16]) { return a[0] > 0 ? throw L : 2; }
// expect NSKTRU
void x43(const int a[16], int b[16]) { a[1] ? (void)L : (void)U; }
// expect AP
void t43(const int a[16], int b[16]) { a[1] ? (void)(b[2] = 1) : (void)U; }
void g44(const int *a, int *b) { return (void)L; }
// expect NSKTRU
void x44(const int a[16], int b[16]) { return g44(a, b); }
// 45 array of references-to-arrays, nested designators
struct P45 { int x; struct { int y, z; } in; int t[2]; };
// expect NSKTRU
int x45(const int a[16], int b[16]) { P45 p{.x = 1, .in = {.z = L}, .t = {2}}; return p.x; }
// expect AP
int t45(const int a[16], int b[16]) { P45 p{.x = 1, .in = {.z = U}, .t = {a[0]}}; return p.x + p.in.z + p.in.y + p.t[0] + p.t[1]; }
// 46 conversion to reference, ref-qualified
struct R46 { int *b; const int *a; operator int &() { return b[a[0] & 7]; } int f() & { return b[0]; } int f() && { return L; } };
// expect NSKTRU
int x46(const int a[16], int b[16]) { R46 r{b, a}; int &q = r; q = 3; return 0; }
// expect NSKTRU
int x47(const int a[16], int b[16]) { R46 r{b, a}; return std::move(r).f(); }
struct R46t { int *b; const int *a; operator int &() { return b[5]; } int f() & { return b[0]; } int f() && { return U; } };
// expect AP
int t46(const int a[16], int b[16]) { R46t r{b, a}; int &q = r; q = a[3]; return r.f() + std::move(r).f(); }
// 48 bindings of arrays with side effects, nested
// expect NSKTRU
int x48(const int a[16], int b[16]) { int t[2][2] = {{1, 2}, {3, 4}}; auto [u, v] = t[L & 1]; return u; }
// expect AP
int t48(const int a[16], int b[16]) { int t[2][2] = {{1, 2}, {3, a[0]}}; auto [u, v] = t[U & 1]; auto &[p, q] = t[0]; p += v; return u + t[0][0]; }
// 49 templates with non-type arguments, variable templates
template <int N> int pick(const int *a, int *b) { return b[N < 4 ? N : a[0] & 7]; }
// expect NSKTRU
int x49(const int a[16], int b[16]) { return pick<5>(a, b); }
// expect AP
int t49(const int a[16], int b[16]) { return pick<2>(a, b) + a[0]; }
template <class T> constexpr T table50[4] = {1, 2, 3, 4};
// expect NSKTRU
int x50(const int a[16], int b[16]) { return table50<int>[a[0] & 3]; }
// expect AP
int t50(const int a[16], int b[16]) { return table50<short>[3] + a[0]; }

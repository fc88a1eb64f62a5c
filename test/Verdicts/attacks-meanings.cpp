// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++23
//
// What a name means: functions of a library whose body, or whose type's operators, say something else than the
// name; constants with an address; parts with one name; values that Clang's tree keeps behind labels and captures.
// Functions with an x are refused, those with a t are their twins, whose results are those of the original.
#include "Inputs/third-party.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <type_traits>
#include <utility>
#define A const int a[16], int b[16]

// 1 an enumeration with a `<` of its own
enum class Down : int { p, q, r };
constexpr bool operator<(Down x, Down y) { return (int)x > (int)y; }
enum class Up : int { p, q, r };
// expect NSKTRU
int x1(A) { return (int)std::max(Down(a[0] & 1), Down(a[1] & 1)); }
// expect AP
int t1(A) { return (int)std::max(Up(a[0] & 1), Up(a[1] & 1)); }
// expect NSKTRU
int x2(A) { return (int)std::min({Down(a[0] & 1), Down(a[1] & 1)}); }
// expect NSKTRU
int x3(A) { return (int)std::clamp(Down(a[0] & 1), Down::r, Down::p); }
// expect AP
int t3(A) { return (int)std::clamp(Up(a[0] & 1), Up::p, Up::r); }
// expect AP
int t4(A) { Down d[2] = {Down(a[0] & 1), Down::q}; return d[0] < d[1]; }
// 5 the addresses of constants
static const int k5 = 3, m5 = 3;
static const int *address5() { return &k5; }
// expect NSKTRU
int x5(A) { return &k5 == &k5; }
// expect NSKTRU
int x6(A) { return address5() == &k5; }
// expect NSKTRU
int x7(A) { return b[&k5 == &m5 ? 1 : a[0] & 7]; }
// expect AP
int t5(A) { const int *p = &k5, *q = p; return (p == q) + *p + a[0] % 5; }
// expect AP
int t6(A) { const int k = 3; const int &r = k; return (&r == &k) + a[0] % 5; }
// 8 bits of a pointer
// expect U
uint64_t x8(A) { return std::bit_cast<uint64_t>(&b[0]) & 7; }
// expect AP
uint64_t t8(A) { return std::bit_cast<uint64_t>(0.5 + (a[0] & 7)); }
// 9 parts of a constant with one name
namespace left { struct B { int x; }; }
namespace right { struct B { int x; }; }
struct D9 : left::B, right::B { int y; };
static constexpr D9 t9s[3] = {{{1}, {10}, 100}, {{2}, {20}, 200}, {{3}, {30}, 300}};
// expect AP
int t9(A) { int s = a[0] & 7; for (int i = 0; i < 3; i++) s += static_cast<const left::B &>(t9s[i]).x * (i + 1) + static_cast<const right::B &>(t9s[i]).x * 7 + t9s[i].y; return s; }
// expect NSKTRU
int x9(A) { return static_cast<const right::B &>(t9s[a[0] & 1]).x; }
struct X10 { int x; }; struct B10 { int x; };
struct D10 : B10 { X10 B10; };
static constexpr D10 t10s[2] = {{{1}, {10}}, {{2}, {20}}};
// expect AP
int t10(A) { return t10s[1].x * 1000 + t10s[1].B10.x + t10s[0].x * 7 + (a[0] & 7); }
struct S11 { struct { int x; }; struct { int x; } anon0; };
static constexpr S11 t11s[2] = {{{1}, {10}}, {{2}, {20}}};
// expect AP
int t11(A) { return t11s[1].x * 1000 + t11s[1].anon0.x + t11s[0].x * 7 + (a[0] & 7); }
// 12 captured bindings
struct P12 { int i, j; };
// expect NSKTRU
int x12(A) { auto [i, j] = P12{1, 2}; auto f = [&i, a] { i = a[0] & 7; }; f(); return b[i]; }
// expect AP
int t12(A) { auto [i, j] = P12{1, 2}; auto f = [&i, a] { return i + (a[0] & 7); }; return b[i] + f(); }
// expect AP
int t13(A) { auto [i, j] = P12{a[0] & 7, 2}; auto f = [i, &j] { return i * 10 + j; }; j++; i++; return f() + i; }
// expect NSKTRU
int x14(A) { auto [i, j] = std::pair(1, a[0] & 7); auto f = [=] { return j; }; return b[f()]; }
// expect AP
int t14(A) { auto [i, j] = std::pair(1, a[0] & 7); auto f = [=] { return i; }; return b[f()] + j; }
// expect AP
int t15(A) { auto [i, j] = P12{a[0] & 7, 2}; auto f = [&] { i += 2; auto g = [&] { return i * 10 + j; }; return g(); }; return f() + i; }
// 16 a specialisation of std::swap
// expect AP
int t16(A) { Swapped p{a[0] & 7, 2}, q{3, 4}; std::swap(p, q); return p.y * 100 + q.x * 10 + q.y; }
// 17 functions of other libraries with the names of builtins
// expect NSKTRU
int x17(A) { return parity(b, a[0]); }
// expect AP
int t17(A) { return parity(b, 3) + a[0] % 5; }
// expect NSKTRU
int x18(A) { return ctz(a[0]); }
// expect AP
int t18(A) { return popcount(a[0]) + clz(a[1]) * 100 + countl_zero(a[2]) * 7; }
// expect AP
unsigned t19(A) { return bswap32(a[0]) + __builtin_popcount(a[1]); }
// 20 a trap
// expect U
int x20(A) { if (a[0] == 7) __builtin_debugtrap(); return 1; }
// 21 when it is evaluated
constexpr int when() { return std::is_constant_evaluated() ? 1 : 2; }
constexpr P12 when22() { return P12{when(), 5}; }
// expect AP
int t21(A) { const int k = when(); int m = when(); const int n = std::is_constant_evaluated() ? a[0] : 7; int t[when() + 1] = {4, 5}; return k * 100 + m * 10 + n + t[1] + a[1] % 5; }
// expect AP
int t22(A) { const P12 p = when22(); static const P12 q = when22(); constexpr P12 s = when22(); return p.i * 1000 + q.i * 100 + s.i + a[0] % 5; }
// expect AP
int t23(A) { int t[20] = {when(), when(), 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, when()}; return t[0] * 100 + t[1] * 10 + t[19] + a[0] % 5; }
// expect AP
int t24(A) { if constexpr (when() == 1) return 10 + when() + a[0] % 5; else return 20; }
// 25 what the library's own bodies ask: elements that are compared as bytes, whether an argument is a constant
// expect AP
int t25(A) { std::array<int, 4> p{a[0] & 1, a[1] & 1, 3, 4}, q{a[2] & 1, a[3] & 1, 3, 4}; return (p == q) + 2 * (p != q); }
// expect AP
int t26(A) { return std::equal(a, a + 3, b) + 2 * std::equal(a, a + 2, b + 1, b + 3); }
// expect NSKTRU
int x25(A) { return std::equal(a, a + 3, b + (a[0] & 7)); }
// expect NSKTRU
int x26(A) { return std::equal(a, a + (a[0] & 7), b); }
// expect AP
int t27(A) { std::array<int, 5> t{5, 4, 3, a[0] & 7, 1}; return *std::next(t.begin(), 3) + (int)std::distance(t.begin(), t.end()) + *std::prev(t.end(), 2); }
// expect NSKTRU
int x27(A) { return *std::next(a, a[0] & 7); }
// expect U
int x28(A) { return __builtin_constant_p(a[0]) ? 1 : 2; }
// 29 function objects without state
struct Self29 { const Self29 *operator()() const { return this; } int operator()(const int *t, int i) const { return t[i]; } };
inline constexpr Self29 self29{};
static const Self29 other29{};
// expect NSKTRU
int x29(A) { return self29() == self29(); }
// expect NSKTRU
int x30(A) { return self29() == other29(); }
// expect NSKTRU
int x31(A) { return self29(b, a[0] & 7); }
// expect AP
int t29(A) { return self29(b, 3) + other29(a, 2) % 5; }
// expect AP
int t30(A) { int t[2] = {a[0] & 7, 2}; std::ranges::swap(t[0], t[1]); std::ranges::copy(t, b); std::ranges::fill(b + 4, b + 6, t[0]); return t[0] * 10 + b[5]; }
// expect NSKTRU
int x32(A) { std::ranges::swap(b[0], b[a[0] & 7]); return 0; }
struct Init29 { Init29(int *p) { *p = 1; } int operator()() const { return 1; } };
static int count29;
thread_local Init29 late29(&count29);
// expect U
int x33(A) { return late29() + a[0] % 5; }

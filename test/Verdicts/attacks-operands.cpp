// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// Evaluations in newer places of C++: bindings by get(), init-statements, defaulted comparisons, captures with
// initialisers, folds, constraints, conversions, inherited constructors, destructors of temporaries.
// Functions with an x are refused, those with a t are their twins.
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <new>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <array>
#include <bit>
#define L (b[a[0] & 7] = 1)
#define U (b[3] = 1)

// 1 tuple-like bindings
struct TL { int *b; int k; template <std::size_t I> int get() const { return b[I == 0 ? 2 : k] ; } };
template <> struct std::tuple_size<TL> { static constexpr std::size_t value = 2; };
template <std::size_t I> struct std::tuple_element<I, TL> { using type = int; };
// expect NSKTRU
int x1(const int a[16], int b[16]) { auto [u, v] = TL{b, a[0] & 7}; return u; }
// expect AP
int t1(const int a[16], int b[16]) { auto [u, v] = TL{b, 5}; return u + a[0]; }
// 2 init-statements
// expect NSKTRU
int x2(const int a[16], int b[16]) { if (L; true) return 1; return 0; }
// expect AP
int t2(const int a[16], int b[16]) { if (U; true) return a[1]; return 0; }
// expect NSKTRU
int x3(const int a[16], int b[16]) { switch (int z = L; 3) { case 3: return z; } return 0; }
// expect AP
int t3(const int a[16], int b[16]) { switch (int z = U; 3) { case 3: return z + a[0]; } return 0; }
// expect NSKTRU
int x4(const int a[16], int b[16]) { int t[2] = {1, 2}, s = 0; for (L; int v : t) s += v; return s; }
// expect AP
int t4(const int a[16], int b[16]) { int t[2] = {1, 2}, s = a[0]; for (U; int v : t) s += v; return s; }
// 5 defaulted comparisons
struct C5 { const int *a; int *b; bool operator==(const C5 &) const { return L == 1; } };
struct D5 { int x; C5 c; bool operator==(const D5 &) const = default; };
// expect NSKTRU
bool x5(const int a[16], int b[16]) { D5 p{1, {a, b}}, q{1, {a, b}}; return p == q; }
struct C5t { const int *a; int *b; bool operator==(const C5t &) const { return U == 1; } };
struct D5t { int x; C5t c; bool operator==(const D5t &) const = default; };
// expect AP
bool t5(const int a[16], int b[16]) { D5t p{1, {a, b}}, q{1, {a, b}}; return p == q; }
struct C6 { const int *a; int *b; std::strong_ordering operator<=>(const C6 &) const { return L <=> 1; } bool operator==(const C6 &) const = default; };
struct D6 { int x; C6 c; auto operator<=>(const D6 &) const = default; };
// expect NSKTRU
bool x6(const int a[16], int b[16]) { D6 p{1, {a, b}}, q{1, {a, b}}; return p < q; }
struct C6t { const int *a; int *b; std::strong_ordering operator<=>(const C6t &) const { return U <=> 1; } bool operator==(const C6t &) const = default; };
struct D6t { int x; C6t c; auto operator<=>(const D6t &) const = default; };
// 7 init captures
// expect NSKTRU
int x7(const int a[16], int b[16]) { auto f = [v = L] { return 3; }; return f(); }
// expect AP
int t7(const int a[16], int b[16]) { auto f = [v = U] { return v; }; return f() + a[0]; }
// expect NSKTRU
int x8(const int a[16], int b[16]) { auto f = [&r = b[a[0] & 7]] { r = 2; }; f(); return 0; }
// expect AP
int t8(const int a[16], int b[16]) { auto f = [&r = b[4]] { r = 2; }; f(); return a[0]; }
// 9 if constexpr
template <bool C> int g9(const int *a, int *b) { if constexpr (C) { return 1; } else { return L; } }
// expect NSKTRU
int x9(const int a[16], int b[16]) { return g9<false>(a, b); }
// expect AP
int t9(const int a[16], int b[16]) { return g9<true>(a, b) + (b[0] = a[0]); }
// 10 placement new
struct P10 { int v; P10(int x) : v(x) {} };
// expect NSKTRU
int x10(const int a[16], int b[16]) { alignas(P10) unsigned char m[sizeof(P10)]; auto *p = new (m) P10(L); return p->v; }
// 11 conversion chain
struct A11 { const int *a; int *b; operator int() const { return L; } };
struct B11 { int v; B11(A11 x) : v(x) {} };
static int take11(B11 x) { return x.v; }
// expect NSKTRU
int x11(const int a[16], int b[16]) { return take11(A11{a, b}); }
struct A11t { const int *a; int *b; operator int() const { return U; } };
struct B11t { int v; B11t(A11t x) : v(x) {} };
static int take11t(B11t x) { return x.v; }
// expect AP
int t11(const int a[16], int b[16]) { return take11t(A11t{a, b}) + a[2]; }
// 12 ternary lvalue
// expect NSKTRU
int x12(const int a[16], int b[16], int n) { (n ? b[0] : b[a[0] & 7]) = 1; return 0; }
// expect AP
int t12(const int a[16], int b[16], int n) { (n ? b[0] : b[7]) = a[0]; return 0; }
// expect NSKTRU
int x13(const int a[16], int b[16], int n) { int i = 0, j = 1; (a[0] ? i : j) = 5; return b[i]; }
// expect AP
int t13(const int a[16], int b[16], int n) { int i = 0, j = 1; (n ? i : j) = 5; return b[i] + a[0]; }
// 14 comma
// expect NSKTRU
int x14(const int a[16], int b[16]) { return b[(L, 0)]; }
// expect AP
int t14(const int a[16], int b[16]) { return b[(U, 0)] + a[0]; }
struct M15 { int *b; int &operator[](int i, int j) const { return b[i * 4 + j]; } int &operator[]() const { return b[1]; } };
// expect NSKTRU
int x15(const int a[16], int b[16]) { return M15{b}[1, a[0] & 3]; }
// expect AP
int t15(const int a[16], int b[16]) { return M15{b}[1, 2] + M15{b}[] + a[0]; }
// 16 bit-fields
struct F16 { unsigned f : 5; int g : 4; };
// expect NSKTRU
int x16(const int a[16], int b[16]) { F16 s[4] = {}; s[a[0] & 3].f += 7; return s[0].f; }
// expect AP
int t16(const int a[16], int b[16]) { F16 s[4] = {}; s[2].f += a[0]; s[2].g -= a[1]; s[2].f <<= 3; return s[2].f + s[2].g--; }
// 17 array new
// expect NSKTRU
int x17(const int a[16], int b[16]) { int *p = new int[L + 3]; int r = p != nullptr; delete[] p; return r; }
// 18 folds
template <class... T> int f18(int *b, T... i) { return ((b[i] = 1), ...); }
// expect NSKTRU
int x18(const int a[16], int b[16]) { return f18(b, 1, a[0] & 7, 2); }
// expect AP
int t18(const int a[16], int b[16]) { return f18(b, 1, 4, 2) + a[0]; }
template <class... T> bool f19(int *b, T... i) { return (... && (b[i] > 0)); }
// expect NSKTRU
bool x19(const int a[16], int b[16]) { return f19(b, 1, a[0] & 7, 2); }
// expect AP
bool t19(const int a[16], int b[16]) { return f19(b, 1, 4, 2); }
template <class... T> int f20(int *b, T... i) { int r[] = {(b[i]++)...}; return r[0]; }
// expect NSKTRU
int x20(const int a[16], int b[16]) { return f20(b, 1, a[0] & 7); }
// expect AP
int t20(const int a[16], int b[16]) { return f20(b, 1, 4) + a[0]; }
// 21 concepts
template <class T> concept Big = sizeof(T) > 4;
template <class T> int g21(const int *a, int *b, T) { return U; }
template <Big T> int g21(const int *a, int *b, T) { return L; }
// expect NSKTRU
int x21(const int a[16], int b[16]) { return g21(a, b, 1L); }
// expect AP
int t21(const int a[16], int b[16]) { return g21(a, b, 1) + a[0]; }
// expect AP
int t22(const int a[16], int b[16]) { return requires { b[a[0] & 7]; } ? (b[0] = a[1]) : 0; }
// 23 parenthesised aggregates
struct S23 { int u, v; int w = 4; };
// expect NSKTRU
int x23(const int a[16], int b[16]) { S23 s(1, L); return s.u; }
// 25 typeid
struct V25 { virtual ~V25() {} };
static V25 *g25(int *) { return nullptr; }
// expect NSKTRU
int x25(const int a[16], int b[16]) { V25 v; V25 *p[2] = {&v, &v}; return typeid(*p[L & 1]).name()[0]; }
// expect AP
int t25(const int a[16], int b[16]) { return (int)sizeof(b[a[0] & 7]) + noexcept(b[a[0] & 7] = 1) + (b[0] = a[1]) + (int)alignof(decltype(b[a[0] & 7])); }
// 26 slicing
struct B26 { int v; const int *a; int *b; B26(const int *a, int *b) : v(0), a(a), b(b) {} B26(const B26 &o) : v(o.v), a(o.a), b(o.b) { L; } };
struct D26 : B26 { int w = 3; using B26::B26; };
// expect NSKTRU
int x26(const int a[16], int b[16]) { D26 d(a, b); B26 s = d; return s.v; }
struct B26t { int v; const int *a; int *b; B26t(const int *a, int *b) : v(0), a(a), b(b) {} B26t(const B26t &o) : v(o.v), a(o.a), b(o.b) { U; } };
struct D26t : B26t { int w = 3; using B26t::B26t; };
// expect AP
int t26(const int a[16], int b[16]) { D26t d(a, b); B26t s = d; return s.v + d.w + a[0]; }
// 27 arrows
struct I27 { int v; };
struct Q27 { const int *a; int *b; I27 *i; I27 *operator->() const { L; return i; } };
struct R27 { Q27 q; Q27 operator->() const { return q; } };
// expect NSKTRU
int x27(const int a[16], int b[16]) { I27 i{5}; R27 r{{a, b, &i}}; return r->v; }
struct Q27t { const int *a; int *b; I27 *i; I27 *operator->() const { U; return i; } };
struct R27t { Q27t q; Q27t operator->() const { return q; } };
// expect AP
int t27(const int a[16], int b[16]) { I27 i{5}; R27t r{{a, b, &i}}; return r->v + a[0]; }
// 28 literals
constexpr int T28[8] = {1, 2, 3, 4, 5, 6, 7, 8};
struct W28 { unsigned long long k; int of(const int *a) const { return T28[a[0] & k]; } };
constexpr W28 operator""_w(unsigned long long k) { return {k}; }
// expect NSKTRU
int x28(const int a[16], int b[16]) { return (7_w).of(a); }
// expect AP
int t28(const int a[16], int b[16]) { return T28[7_w .k] + a[0]; }
// 29 static locals and thread locals
struct G29 { int v; G29() : v(3) {} };
// expect NSKTRU
int x29(const int a[16], int b[16]) { static G29 g; return b[g.v]; }
// expect NSKTRU
int x30(const int a[16], int b[16]) { thread_local int t = L; return 1; }
// 31 delegating and inherited constructors
struct S31 { int v; S31(const int *a, int *b) : S31(L) {} S31(int x) : v(x) {} };
// expect NSKTRU
int x31(const int a[16], int b[16]) { S31 s(a, b); return 1; }
struct S31t { int v; S31t(const int *a, int *b) : S31t(U) {} S31t(int x) : v(x) {} };
// expect AP
int t31(const int a[16], int b[16]) { S31t s(a, b); return s.v + a[0]; }
struct B32 { B32(const int *a, int *b) { L; } };
struct D32 : B32 { using B32::B32; int z = 4; };
// expect NSKTRU
int x32(const int a[16], int b[16]) { D32 d(a, b); return d.z; }
struct B32t { B32t(const int *a, int *b) { U; } };
struct D32t : B32t { using B32t::B32t; int z = 4; };
// expect AP
int t32(const int a[16], int b[16]) { D32t d(a, b); return d.z + a[0]; }
// 33 destructors
struct K33 { const int *a; int *b; ~K33() { L; } };
// expect NSKTRU
int x33(const int a[16], int b[16]) { const K33 &k = K33{a, b}; return k.b[0]; }
// expect NSKTRU
int x34(const int a[16], int b[16]) { auto [p, q] = K33{a, b}; return q[0]; }
static int by34(K33 k) { return k.b[0]; }
// expect NSKTRU
int x35(const int a[16], int b[16]) { return by34({a, b}); }
// expect NSKTRU
int x36(const int a[16], int b[16]) { auto f = [k = K33{a, b}] { return 1; }; return f(); }
// expect NSKTRU
int x37(const int a[16], int b[16]) { return (K33{a, b}, 3); }
// expect NSKTRU
int x38(const int a[16], int b[16]) { for (int i = 0; K33{a, b}.b && i < 2; i++) b[i] = i; return 0; }
// 39 conversions in conditions
struct Z39 { const int *a; int *b; operator int() const { return L; } explicit operator bool() const { return L; } };
// expect NSKTRU
int x39(const int a[16], int b[16]) { switch (Z39{a, b}) { default: return 1; } }
// expect NSKTRU
int x40(const int a[16], int b[16]) { if (Z39 z{a, b}) return 1; return 2; }
// expect NSKTRU
int x41(const int a[16], int b[16]) { return !Z39{a, b}; }
// expect NSKTRU
int x42(const int a[16], int b[16]) { Z39 p{a, b}; return p && true; }
struct Z39t { const int *a; int *b; operator int() const { return U; } explicit operator bool() const { return U; } };
// expect AP
int t39(const int a[16], int b[16]) { switch (Z39t{a, b}) { default: return a[1]; } }
// expect AP
int t40(const int a[16], int b[16]) { if (Z39t z{a, b}) return a[1]; return 2; }
// expect AP
int t42(const int a[16], int b[16]) { Z39t p{a, b}; return (p && a[3]) + !p; }
// 43 operators without short circuit
struct O43 { int v; }; 
static bool operator&&(O43 p, O43 q) { return p.v > 100 && q.v > 100; }
static O43 operator,(O43 p, O43 q) { return {p.v + q.v}; }
// expect NSKTRU
int x43(const int a[16], int b[16]) { return O43{0} && O43{L}; }
// expect AP
int t43(const int a[16], int b[16]) { return (O43{0} && O43{U}) + (O43{a[0] & 255}, O43{U}).v; }

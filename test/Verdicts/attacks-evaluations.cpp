// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// Evaluations that are easily lost: what they change is an index afterwards. Parenthesised aggregates, explicit
// objects, initialisers of every kind, conditions with declarations, operands of operands.
// Functions with an x are refused, those with a t are their twins.
#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <utility>
#define A const int a[16], int b[16], int n
struct P { int i, j; };
struct D { int i = 0; int j = i; };
static int bump(int &i, int by) { return i += by & 3; }
// expect NSKTRU
int x1(A) { int i = 0; P p(bump(i, a[0]), 2); return b[i] + p.j; }
// expect AP
int t1(A) { int i = 0; P p(a[0], bump(i, 1)); return b[i] + p.i; }
struct Ref1 { int &r; int v; };
// expect NSKTRU
int x2(A) { int i = 0; Ref1 q(i, a[0]); q.r = q.v & 3; return b[i]; }
// expect AP
int t2(A) { int i = 0; Ref1 q(i, a[0]); q.r = 3; return b[i] + q.v; }
struct Dep3 { int &r; int v = r++; int w = v; };
// expect NSKTRU
int x3(A) { int i = a[0] & 3; Dep3 d(i); return b[i]; }
// expect AP
int t3(A) { int i = 2; Dep3 d(i); return b[i] + b[d.w] + a[0]; }
struct E4 { int k; int &at(this E4 &self, int d) { self.k += d; return self.k; } };
// expect NSKTRU
int x4(A) { E4 e{0}; e.at(a[0] & 1)++; return b[e.k]; }
// expect AP
int t4(A) { E4 e{0}; e.at(1)++; return b[e.k] + a[0]; }
struct E5 { int k; E5 operator++(this E5 &self, int) { E5 o = self; self.k++; return o; } E5 &operator+=(this E5 &self, int d) { self.k += d; return self; } };
// expect NSKTRU
int x5(A) { E5 e{0}; (e += a[0] & 1)++; return b[e.k]; }
// expect AP
int t5(A) { E5 e{0}; (e += 1)++; return b[e.k] + a[0]; }
// expect NSKTRU
int x6(A) { int i = 0; auto [p, q] = P{bump(i, a[0]), 1}; return b[i] + q; }
// expect AP
int t6(A) { int i = 0; auto [p, q] = P{a[0], bump(i, 1)}; return b[q] + b[i] + p; }
// expect NSKTRU
int x7(A) { int i = 0; if (int k = bump(i, a[0]); false) {} return b[i]; }
// expect AP
int t7(A) { int i = 0; if (int k = bump(i, 3); a[0] > 0) b[k] = 1; return b[i]; }
// expect NSKTRU
int x8(A) { int i = 0; switch (int k = bump(i, a[0]); 0) { case 0:; } return b[i]; }
// expect AP
int t8(A) { int i = 0; switch (int k = bump(i, 1); a[0] & 1) { case 0: b[k] = 2; } return b[i]; }
// expect NSKTRU
int x9(A) { int i = 0; for (int k = bump(i, a[0]); false;) {} return b[i]; }
// expect AP
int t9(A) { int i = 0; for (int k = bump(i, 2); k < 3; k++) b[k] = a[0]; return b[i]; }
// expect NSKTRU
int x10(A) { int i = 0; for (int v : {bump(i, a[0]), 1}) b[0] = v; return b[i]; }
struct Arr11 { int v[2]; const int *begin() const { return v; } const int *end() const { return v + 2; } };
// expect NSKTRU
int x11(A) { int i = 0; for (int v : Arr11{bump(i, a[0]), 1}) b[0] = v; return b[i]; }
// expect AP
int t11(A) { int i = 0; for (int v : Arr11{a[0], bump(i, 1)}) b[0] = v; return b[i]; }
// expect NSKTRU
int x12(A) { int i = 0; auto f = [&i, v = bump(i, a[0])] { return v; }; return b[i] + 0 * f(); }
// expect AP
int t12(A) { int i = 0; auto f = [&i, v = a[0], w = bump(i, 2)] { return v; }; return b[i] + f(); }
// expect NSKTRU
int x13(A) { int i = 0; (void)std::array<int, 2>{bump(i, a[0])}; return b[i]; }
// expect AP
int t13(A) { int i = 0; (void)std::array<int, 2>{a[0], bump(i, 1)}; return b[i]; }
// expect NSKTRU
int x14(A) { int i = 0; int v[2][2](  {bump(i, a[0]), 2}, {3} ); return b[i] + v[1][0]; }
// expect AP
int t14(A) { int i = 0; int v[2][2]( {a[0], bump(i, 1)}, {3} ); return b[i] + b[v[1][0]] + v[0][0]; }
template <class... T> static int fold15(int &i, T... v) { return (bump(i, v), ...); }
// expect NSKTRU
int x15(A) { int i = 0; fold15(i, 1, a[0], 1); return b[i]; }
// expect AP
int t15(A) { int i = 0; fold15(i, 1, 1, 1); return b[i] + a[0]; }
template <class... T> static bool all16(int &i, T... v) { return (... && (bump(i, v) < 9)); }
// expect NSKTRU
int x16(A) { int i = 0; all16(i, 1, a[0] & 1, 1); return b[i]; }
// expect AP
int t16(A) { int i = 0; all16(i, 1, 0, 1); return b[i] + a[0]; }
// expect NSKTRU
int x17(A) { int i = 0; std::pair<int, int> p(bump(i, a[0]), 2); return b[i] + p.second; }
// expect AP
int t17(A) { int i = 0; std::pair<int, int> p(a[0], bump(i, 2)); return b[i] + p.first; }
// expect NSKTRU
int x18(A) { int i = 0; std::tie(i, std::ignore) = std::make_tuple(a[0] & 3, 2); return b[i]; }
// expect AP
int t18(A) { int i = 0, k; std::tie(k, i) = std::make_tuple(a[0] & 3, 2); return b[i] + k; }
// expect NSKTRU
int x19(A) { int i = 0; int k = (a[0] > 0 ? bump(i, 1) : bump(i, 2), 3); return b[i] + k; }
// expect AP
int t19(A) { int i = 0; int k = (n > 0 ? bump(i, 1) : bump(i, 2), a[0]); return b[i] + k; }
// expect NSKTRU
// expect NSKTRU
int x20(A) { int i = 0; (static_cast<void>(bump(i, a[0])), 3); return b[i]; }
// expect AP
int t20(A) { int i = 0; (static_cast<void>(bump(i, 2)), a[0]); return b[i] + a[0]; }
struct M21 { int k; int operator,(int x) { return k = x & 3; } };
// expect NSKTRU
int x21(A) { M21 m{0}; (m, a[0]); return b[m.k]; }
// expect AP
int t21(A) { M21 m{0}; (m, 2); return b[m.k] + a[0]; }
struct M22 { int *k; operator bool() { return (*k)++ > 100; } };
// expect NSKTRU
int x22(A) { int i = 0; if (a[0] > 0 && M22{&i}) b[1] = 1; return b[i]; }
// expect AP
int t22(A) { int i = 0; if (M22{&i} && a[0] > 0) b[1] = 1; return b[i]; }
struct M23 { int *k; int operator->*(int x) { return *k = x & 3; } };
// expect NSKTRU
int x23(A) { int i = 0; M23{&i} ->* a[0]; return b[i]; }
// expect AP
int t23(A) { int i = 0; M23{&i} ->* 2; return b[i] + a[0]; }
struct M24 { int *k; M24 *operator->() { ++*k; return this; } int v = 0; };
// expect NSKTRU
int x24(A) { int i = 0; M24 m{&i}; for (int q = 0; q < 3; q++) if (a[q] > 0) m->v; return b[i]; }
struct M25 { int k; explicit(true) operator int() { return ++k; } };
// expect NSKTRU
int x25(A) { M25 m{a[0] & 3}; (int)m; return b[m.k]; }
// expect AP
int t25(A) { M25 m{2}; (int)m; return b[m.k] + a[0]; }
// expect NSKTRU
int x27(A) { int i = 0; int t[3] = {[&] { return i = a[0] & 3; }()}; return b[i] + t[2]; }
// expect AP
int t27(A) { int i = 0; int t[3] = {[&] { i = 3; return a[0]; }()}; return b[i] + t[0]; }
struct V28 { int v; V28(int &i, int by) : v((i += by & 3, by)) {} };
struct W28 : V28 { using V28::V28; int z = v; };
// expect NSKTRU
int x28(A) { int i = 0; W28 w(i, a[0]); return b[i]; }
// expect AP
int t28(A) { int i = 0; W28 w(i, 2); return b[i] + b[w.z] + a[0]; }
struct T29 { int v; T29(int &i, int x) try : v(i = x & 3) {} catch (...) {} };
// expect NSKTRU
int x29(A) { int i = 0; T29 t(i, a[0]); return b[i]; }
struct Dl30 { int v; Dl30(int &i) : Dl30(i, 1) { i++; } Dl30(int &i, int x) : v(i += x) {} };
// expect AP
int t30(A) { int i = 0; Dl30 d(i); return b[i] + b[d.v] + a[0]; }
// expect NSKTRU
int x30(A) { int i = a[0] & 1; Dl30 d(i); return b[i]; }

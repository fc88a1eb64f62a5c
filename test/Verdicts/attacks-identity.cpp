// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// One name for two things, or two for one: look-alikes of the library, shadowing, references to temporaries, overloads,
// hidden members, views of one object.
// Functions with an x are refused, those with a t are their twins.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#define A const int a[16], int b[16], int n
// 1 names that look like the library's
namespace mine { int abs(int x) { static const int t[4] = {3, 2, 1, 0}; return t[x & 3]; } }
// expect NSKTRU
int x1(A) { using namespace mine; using mine::abs; return abs(a[0]); }
// expect AP
int t1(A) { return std::abs(a[0]) + mine::abs(2); }
struct V2 { int v; friend void swap(V2 &p, V2 &q) { p.v = q.v; } };
// expect NSKTRU
int x2(A) { V2 p{2}, q{a[0] & 7}; using std::swap; swap(p, q); return b[p.v]; }
// expect AP
int t2(A) { V2 p{2}, q{3}; using std::swap; swap(p, q); return b[p.v] + b[q.v] + a[0]; }
struct V3 { int v; }; 
static const V3 &min(const V3 &p, const V3 &q) { return q; }
// expect NSKTRU
int x3(A) { V3 p{1}, q{a[0] & 7}; return b[min(p, q).v]; }
// expect AP
int t3(A) { V3 p{a[0]}, q{2}; return b[min(p, q).v] + p.v; }
// 4 shadowing
// expect NSKTRU
int x4(A) { int i = 2; { int i = a[0] & 7; b[i] = 1; } return b[i]; }
// expect AP
int t4(A) { int i = 2; { int i = a[0] & 7; b[0] = i; } return b[i]; }
// expect NSKTRU
int x5(A) { int i = 2; auto f = [i = a[0] & 7] { return i; }; return b[f()] + b[i]; }
// expect AP
int t5(A) { int i = a[0] & 7; auto f = [i = 2] { return i; }; return b[f()] + i; }
// expect NSKTRU
int x6(A) { int i = 2; auto f = [&i] { return i; }; i = a[0] & 7; return b[f()]; }
// expect AP
int t6(A) { int i = 2; auto f = [i] { return i; }; i = a[0] & 7; return b[f()] + i; }
struct S7 { int i; auto byCopy() { return [*this] { return i; }; } auto byThis() { return [this] { return i; }; } };
// expect NSKTRU
int x7(A) { S7 s{1}; auto f = s.byThis(); s.i = a[0] & 7; return b[f()]; }
// expect AP
int t7(A) { S7 s{1}; auto f = s.byCopy(); s.i = a[0] & 7; return b[f()] + s.i; }
// 8 references to temporaries of another type
// expect NSKTRU
int x8(A) { int i = 1; const int &r = i; i = a[0] & 7; return b[r]; }
// expect AP
int t8(A) { int i = 1; const long &r = i; i = a[0] & 7; return b[r] + i; }
struct F9 { unsigned f : 4, g : 4; };
// expect NSKTRU
int x9(A) { F9 s{1, 2}; s.f = a[0] & 7; const unsigned &r = s.f; return b[r]; }
// expect AP
int t9(A) { F9 s{1, 2}; const unsigned &r = s.f; s.f = a[0] & 7; return b[r] + s.f + s.g; }
// 10 range-for by value or by reference
// expect NSKTRU
int x10(A) { int t[2] = {1, 2}; for (int &v : t) v = a[0] & 7; return b[t[0]]; }
// expect AP
int t10(A) { int t[2] = {1, 2}; int s = 0; for (int v : t) { v = a[0] & 7; s += v; } return b[t[0]] + s; }
// 11 local classes and lambdas of one shape
static int l11(const int *b) { struct L { int i; int of(const int *b) { return b[i]; } }; return L{1}.of(b); }
static int m11(const int *a, const int *b) { struct L { int i; int of(const int *b) { return b[i]; } }; return L{a[0] & 7}.of(b); }
// expect NSKTRU
int x11(A) { return l11(b) + m11(a, b); }
// expect AP
int t11(A) { return l11(b) + a[0]; }
// 12 statics of instances
template <int N> int once12(const int *a, int *b) { static constexpr int k = N; return b[k]; }
// expect AP
int t12(A) { return once12<1>(a, b) + once12<2>(a, b) + a[0]; }
template <class T> struct H13 { static constexpr int k = sizeof(T); };
template <> struct H13<char> { static int k(const int *a) { return a[0] & 7; } };
// expect NSKTRU
int x13(A) { return b[H13<char>::k(a)]; }
// expect AP
int t13(A) { return b[H13<int>::k] + a[0]; }
// 14 overloads
static int o14(const int *b, int) { return b[1]; }
static int o14(const int *b, long i) { return b[i & 7]; }
// expect NSKTRU
int x14(A) { return o14(b, (long)a[0]); }
// expect AP
int t14(A) { return o14(b, a[0]); }
struct Q15 { int *b; int at(int) & { return b[1]; } int at(int i) const & { return b[i & 7]; } int at(int i) && { return b[i & 7]; } };
// expect NSKTRU
int x15(A) { const Q15 q{b}; return q.at(a[0]); }
// expect AP
int t15(A) { Q15 q{b}; return q.at(a[0]); }
enum class E16 { a, b };
static int operator+(E16 e, int i) { return i & 7; }
static int operator+(int i, E16) { return 3; }
// expect NSKTRU
int x16(A) { return b[E16::a + a[0]]; }
// expect AP
int t16(A) { return b[a[0] + E16::a]; }
// 17 user's operator& and []
struct O17 { int v; O17 operator&(int k) const { return {v}; } };
// expect NSKTRU
int x17(A) { O17 o{a[0] & 7}; return b[(o & 0).v]; }
// expect AP
int t17(A) { O17 o{5}; return b[(o & 0).v] + a[0]; }
// 18 overlapping objects
// expect NSKTRU
int x18(A) { int *p = b + 1; p[-1] = a[0] & 7; int i = b[0]; return b[i & 7]; }
// expect AP
int t18(A) { int *p = b + 1; p[-1] = a[0] & 7; return b[0]; }
struct T19 { int i; short s; }; struct U19 : T19 { char c; };
// expect NSKTRU
int x19(A) { U19 u; u.i = 1; u.s = 2; u.c = 3; T19 &t = u; t.i = a[0] & 7; return b[u.i]; }
// expect AP
int t19(A) { U19 u; u.i = 1; u.s = 2; u.c = 3; T19 &t = u; t.i = a[0] & 7; return b[u.s] + u.c + u.i; }
struct Ba20 { Ba20() {} int i = 0; char pad = 1; }; struct De20 : Ba20 { char tail = 2; };
struct Em21 {}; struct N21 { [[no_unique_address]] Em21 e; int i; };
// expect NSKTRU
int x21(A) { N21 x{{}, 1}; x.e = Em21{}; x.i = a[0] & 7; return b[x.i]; }
// expect AP
int t21(A) { N21 x{{}, 1}; x.e = Em21{}; return b[x.i] + a[0]; }
union U22 { int i; float f; };
// expect NSKTRU
int x22(A) { U22 u; u.f = 1.0f; u.i = a[0] & 7; return b[u.i]; }
// expect NSKTRU
int x23(A) { int t[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}}; t[1][0] = a[0] & 7; return b[*(&t[0][0] + 4)]; }
// expect AP
int t23(A) { int t[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}}; t[1][0] = a[0] & 7; return b[t[0][3]] + t[1][0]; }
// expect NSKTRU
int x24(A) { int i = 0x01010101; unsigned char *p = reinterpret_cast<unsigned char *>(&i); p[0] = a[0] & 7; return b[i & 7]; }
// expect NSKTRU
int x25(A) { struct C { int k; int m; } c{1, 2}; int *m = &c.m; C *whole = reinterpret_cast<C *>(reinterpret_cast<char *>(m) - offsetof(C, m)); whole->k = a[0] & 7; return b[c.k]; }
// expect NSKTRU
int x26(A) { uintptr_t p = reinterpret_cast<uintptr_t>(b); return *reinterpret_cast<int *>(p + 4 * (a[0] & 7)); }
// expect NSKTRU
int x27(A) { return b[(reinterpret_cast<uintptr_t>(b) >> 4) & 7]; }
// expect NSKTRU
int x28(A) { return b < a + 3; }
// expect AP
int t28(A) { return (b < b + a[0] - a[0]) ; }
// expect NSKTRU
int x29(A) { const char *p = "abc", *q = "abc"; return b[p == q]; }
// expect NSKTRU
int x30(A) { int i = 1, j = 2; int *p = &i; int *q = p + 1; return b[q == &j]; }
// 31 aliases of one array
// expect NSKTRU
int x31(A) { int t[4] = {1, 2, 3, 4}; int *p = t, *q = t + 2; p[2] = a[0] & 7; return b[*q]; }
// expect NSKTRU
int x32(A) { std::array<int, 2> p = {1, 2}, &r = p; r[0] = a[0] & 7; return b[p[0]]; }
// expect AP
int t32(A) { std::array<int, 2> p = {1, 2}, r = p; r[0] = a[0] & 7; return b[p[0]] + r[0]; }
struct G33 { int *p; }; 
// expect NSKTRU
int x33(A) { int i = 1; G33 g{&i}, h = g; *h.p = a[0] & 7; return b[i]; }
// expect AP
int t33(A) { int i = 1, j = 2; G33 g{&i}, h{&j}; *h.p = a[0] & 7; return b[i] + *h.p + *g.p; }
// 34 slicing through a base of two
struct L34 { int i; }; struct R34 { int i; }; struct LR34 : L34, R34 {};
// expect NSKTRU
int x34(A) { LR34 x{{1}, {2}}; static_cast<R34 &>(x).i = a[0] & 7; return b[x.R34::i]; }
// expect AP
int t34(A) { LR34 x{{1}, {2}}; static_cast<R34 &>(x).i = a[0] & 7; return b[x.L34::i] + x.R34::i; }
// 35 explicit instantiation and default arguments by scope
template <class T = int> int d35(const int *a, int *b, int i = 3) { return b[i]; }
// expect NSKTRU
int x35(A) { int d35(const int *, int *, int = 2); return d35(a, b) ; }
// 36 inline namespaces, using directives
namespace v36 { inline namespace one { inline int idx(const int *a) { return a[0] & 7; } } namespace two { inline int idx(const int *) { return 3; } } }
// expect NSKTRU
int x36(A) { return b[v36::idx(a)]; }
// expect AP
int t36(A) { return b[v36::two::idx(a)] + a[0]; }
// 37 hidden members
struct B37 { int i = 1; int get() const { return i; } }; struct D37 : B37 { int i = 2; int get() const { return i; } };
// expect NSKTRU
int x37(A) { D37 d; d.i = a[0] & 7; return b[d.get()]; }
// expect AP
int t37(A) { D37 d; d.i = a[0] & 7; return b[static_cast<B37 &>(d).get()] + d.get(); }
// 38 macros that rename
#define sqrt(x) (tab38[(int)(x) & 3])
constexpr double tab38[4] = {1, 2, 3, 4};
// expect NSKTRU
double x38(A) { return sqrt(a[0]); }
#undef sqrt
// expect AP
double t38(A) { return std::sqrt((double)(a[0] & 255)); }
// 39 conversion of member arrays to references
struct M39 { int t[2][2]; int (&row(int i))[2] { return t[i]; } };
// expect NSKTRU
int x39(A) { M39 m{{{1, 2}, {3, 4}}}; m.row(1)[0] = a[0] & 7; return b[m.t[1][0]]; }
// 40 lifetime of a local in a loop
// expect NSKTRU
int x40(A) { int s = 0; for (int k = 0; k < 2; k++) { int i; if (k == 0) i = 1; else i = a[0] & 7; s += b[i]; } return s; }
// expect AP
int t40(A) { int s = 0; for (int k = 0; k < 2; k++) { int i = 1; s += b[i]; i = a[0] & 7; s += i; } return s; }

// The address of a variable of a call that has returned may be that of another one.
static bool remembers(int *&p) { int l = 0; bool r = p == &l; p = &l; return r; }
// expect U
int xended(const int a[16], const int b[16]) { int *p = nullptr; remembers(p); return remembers(p) ? b[a[0] & 7] : a[1]; }
static bool forgets(int *&p) { int l = 0; bool r = p == &l; p = nullptr; return r; }
// expect AP
int tended(const int a[16], const int b[16]) { int *p = nullptr; forgets(p); return forgets(p) ? b[a[0] & 7] : a[1]; }

// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++23
//
// What one object is: parameters and results by value, copies that compilers may leave out, library functions over types
// with functions of their own, attributes. Functions with an x are refused, those with a t are their twins.
#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <utility>
#define A const int a[16], int b[16], int n
#define L (a[0] & 7)

// A parameter is the object that the caller makes.
struct Self { int v, w, *p; Self(int k) : v(k), w(0), p(&v) {} Self(const Self &o) : v(o.v), w(o.w), p(&v) {} };
static int through(Self s, const int *a, int *b, int k) { s.w = 1; *s.p = k; return b[s.v]; }
// expect NSKTRU
int x1(A) { return through(Self(2), a, b, L); }
// expect AP
int t1(A) { return through(Self(2), a, b, 5) + a[0]; }
struct Vec { int n = 0, *d, buf[8] = {}; Vec() : d(buf) {} Vec(const Vec &o) : n(o.n), d(buf) { for (int i = 0; i < 8; i++) buf[i] = o.buf[i]; } void push(int x) { d[n++] = x; } };
static int first(Vec v, int k) { v.push(k); return v.buf[0]; }
// expect NSKTRU
int x2(A) { Vec v; return b[first(v, L)]; }
// expect AP
int t2(A) { Vec v; return b[first(v, 4)] + a[0]; }
struct Method { int k; int at(Self s, int *b) const { s.w = 1; *s.p = k; return b[s.v]; } };
// expect NSKTRU
int x3(A) { Method m{L}; return m.at(Self(1), b); }
// expect AP
int t3(A) { Method m{3}; return m.at(Self(1), b) + a[0]; }
// expect NSKTRU
int x4(A) { auto g = [=](Self s) { s.w = 1; *s.p = L; return b[s.v]; }; return g(Self(1)); }
// expect AP
int t4(A) { auto g = [=](Self s) { s.w = 1; *s.p = 6; return b[s.v]; }; return g(Self(1)) + a[0]; }

// A variable that every return names is the result.
static Self made() { Self s(2); return s; }
// expect NSKTRU
int x5(A) { Self s = made(); *s.p = L; return b[s.v]; }
// expect AP
int t5(A) { Self s = made(); *s.p = 3; return b[s.v] + a[0]; }
struct Wide { int *p, v, w[5]; Wide() : v(1) { p = &v; } };
static Wide wide() { Wide t; return t; }
// expect U
int x6(A) { Wide t = wide(); *t.p = L; return b[t.v]; }
// Compilers copy the bytes of such a class, or build it in its place.
// expect U
int t6(A) { Wide t = wide(); *t.p = 7; return b[t.v] + a[0]; }
static Vec filled(int n) { Vec v; for (int i = 0; i < 4; i++) { if (i == 3 && n > 2) return v; v.push(i + n); } return v; }
// expect NSKTRU
int x7(A) { Vec v = filled(n & 3); v.buf[1] = L; return b[v.d[1]]; }
// expect AP
int t7(A) { Vec v = filled(n & 3); v.buf[1] = 2; return b[v.d[1]] + a[0]; }

// Which copies are left out is the compiler's choice where returns differ.
struct Count { int v; Count(int k) : v(k) {} Count(const Count &o) : v(o.v + 10) {} };
static Count either(int n) { if (n > 2) { Count x(1); return x; } Count y(2); return y; }
// expect U
int x8(A) { return either(n).v + a[0]; }
static Count inner() { { Count x(1); return x; } }
// expect U
int x9(A) { return inner().v + a[0]; }
static Count one(int n) { Count x(n); if (n > 2) return x; x.v++; return x; }
// expect AP
int t9(A) { return one(n).v + a[0]; }
struct Plain { float x, y; Plain(float x, float y) : x(x), y(y) {} Plain(const Plain &o) : x(o.x), y(o.y) {} Plain &scale(float k) { x *= k; return *this; } };
static Plain both(const Plain &p, float k) { if (k > 1) { Plain q(p); q.scale(k); return q; } Plain r(p.y, p.x); return r; }
// expect AP
float t10(const float a[2], float k) { return both(Plain(a[0], a[1]), k).x; }
struct Span { const int *p; int n; };
static Span part(Span s, int n) { if (n > 2) { Span t = s; t.p++; return t; } Span t{s.p, 1}; t.n += n; return t; }
// expect AP
int t11(A) { return part(Span{a, 4}, n).p[0]; }
struct Ring { int v, *p; };
static Ring ring(int n) { if (n > 2) { Ring x{1}; x.p = &x.v; return x; } Ring y{2}; y.p = &y.v; return y; }
// expect U
int x11(A) { Ring r = ring(n); *r.p = 3; return b[r.v] + a[0]; }

// A class's own swap, moves and specialisations.
struct Own { int v, w; friend void swap(Own &p, Own &q) { int t = p.v; p.v = q.v; q.v = t; } };
// expect NSKTRU
int x12(A) { std::array<Own, 1> p{Own{1, L}}, q{Own{2, 3}}; p.swap(q); return b[p[0].w]; }
// expect AP
int t12(A) { std::array<Own, 1> p{Own{1, 4}}, q{Own{L, 3}}; p.swap(q); return b[p[0].w] + q[0].v; }
// expect NSKTRU
int x13(A) { std::array<Own, 1> p{Own{1, L}}, q{Own{2, 3}}; std::swap(p, q); return b[p[0].w]; }
struct Moved { int v; Moved(int v = 0) : v(v) {} Moved(const Moved &) = default; Moved &operator=(const Moved &) = default; Moved(Moved &&o) : v(o.v) {} Moved &operator=(Moved &&o) { v = o.v + 1; return *this; } };
// expect AP
int t13(A) { std::array<Moved, 1> p{Moved{1}}, q{Moved{3}}; p.swap(q); return q[0].v + a[0]; }
struct Any { int v, w; Any(int v, int w) : v(v), w(w) {} Any(const Any &) = default; Any &operator=(const Any &) = default; template <class U> Any(U &&o) : v(o.v), w(o.w) {} template <class U> Any &operator=(U &&o) { v = o.v; return *this; } };
// expect NSKTRU
int x14(A) { Any x{1, L}, y{3, 4}; std::swap(x, y); return b[x.w]; }
// expect AP
int t14(A) { Any x{1, 5}, y{3, 4}; std::swap(x, y); return b[x.w] + a[0]; }
template <class T> struct W { T v; };
template <class T> struct std::array<W<T>, 4> { W<T> t[4]; W<T> &operator[](std::size_t i) { return t[(i * 3) & 3]; } };
template <class T> struct std::array<W<T>, 6> { W<T> t[6]; std::size_t size() const { return t[0].v; } };
// expect NSKTRU
int x15(A) { std::array<W<int>, 4> t{}; t[1].v = L; t[3].v = 2; return b[t.t[3].v]; }
// expect AP
int t15(A) { std::array<W<int>, 4> t{}; t[1].v = 5; return b[t.t[3].v] + a[0]; }
// expect NSKTRU
int x16(A) { std::array<W<int>, 6> t{}; t.t[0].v = L; for (std::size_t k = 0; k < t.size(); k++) b[k] = 1; return 0; }
// expect AP
int t16(A) { std::array<W<int>, 6> t{}; t.t[0].v = 5; for (std::size_t k = 0; k < t.size(); k++) b[k] = a[0]; return 0; }
// expect AP
void t17(std::array<int, 4> &x, const std::array<int, 4> &y) { x.fill(y[1]); }
// expect AP
void t18(std::array<Moved, 4> &x, const std::array<Moved, 4> &y) { x.fill(y[1]); std::swap(x[1], x[2]); }

// `<` of an enumeration that is made of <=>, and a function of the user's with a library's name.
static constexpr int table[8] = {3, 1, 2, 0, 7, 5, 6, 4};
enum class E : int {};
constexpr int operator<=>(E x, E y) { return table[(int)y & 7] - table[(int)x & 7]; }
// expect NSKTRU
int x19(A) { E p{L}, q{a[1] & 7}; return (int)std::min(p, q); }
// expect NSKTRU
int x20(A) { E p{L}, q{a[1] & 7}; return (int)std::max({p, q}); }
// expect U
int x21(A) { E p{1}, q{4}; return b[(int)std::min(p, q)] + a[0]; }
namespace mine { extern "C" int abs(int x) { return table[x & 7]; } }
// expect U
int x22(A) { return mine::abs(a[0]); }

// Attributes, volatile reads by casts, temporaries of bit-fields, shared statement expressions.
static int *kept; static const int *other;
static void fin(const int (*p)[2]) { kept[other[0] & 7] = (*p)[0]; }
// expect U
int x23(A) { __attribute__((cleanup(fin))) const int t[2] = {1, 2}; return b[t[1]] + a[0]; }
// expect AP
int t23(A) { __attribute__((unused, aligned(16))) const int t[2] = {1, 2}; return b[t[1]] + a[0]; }
// expect U
int x24(A) { int i = 3; return b[const_cast<volatile int &>(i)] + a[0]; }
// expect AP
int t24(A) { int i = 3; return b[const_cast<const int &>(i)] + a[0]; }
struct F { unsigned f : 3, g : 4; int h = 1; };
// expect U
int x25(A) { F s{1, 2}; s.f = L; unsigned &&q = static_cast<unsigned &&>(s.f); q = 2; return b[s.f]; }
// expect AP
int t25(A) { F s{1, 2}; s.h = 3; int &&q = static_cast<int &&>(s.h); q = 2; return b[s.h] + a[0]; }
struct K { int v; constexpr K(int x) : v(x) {} constexpr ~K() { v = 0; } };
// expect U
int x26(A) { const K k(3); return b[k.v] + a[0]; }
// expect U
int x27(A) { struct Z { int x, y = ({ int k = 4; k++; k; }); }; int r = 0; if (a[0] > 0) { Z z{1}; r += z.y; } Z w{2}; return r + w.y; }

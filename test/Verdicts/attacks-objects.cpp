// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// What is the same object, the same bytes, the same name: bases and members without an address of their own, views,
// same-named functions and classes, shadowed names, references to references.
// Functions with an x are refused, those with a t are their twins.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <utility>
#define A const int a[16], int b[16], int n
struct Open { Open() {} int x; char c; };
struct Tail : Open { char d; };
struct Inside { [[no_unique_address]] Open o; char d; };
struct Empty {};
struct Empty2 : Empty {};
struct Holds : Empty { int i; };
struct Twice { [[no_unique_address]] Empty e; int i; [[no_unique_address]] Empty2 f; };
// The tail of the base is d.
// expect NSKTRU
int x1(A) { Tail t; t.d = 0; Open o; memset(&o, a[0], sizeof o); memcpy(static_cast<Open *>(&t), &o, sizeof o); return b[t.d & 7]; }
// expect AP
int t1(A) { Tail t; t.d = 2; Open o; o.x = a[0]; o.c = 3; static_cast<Open &>(t) = o; return b[t.d & 7] + t.x; }
// expect NSKTRU
int x2(A) { Inside t; t.d = 0; memset(&t.o, a[0], sizeof t.o); return b[t.d & 7]; }
// expect AP
int t2(A) { Inside t; t.d = 3; Open o; o.x = a[0]; o.c = 1; t.o = o; return b[t.d & 7] + t.o.x; }
// expect NSKTRU
int x3(A) { Holds h; h.i = 0; memset(static_cast<Empty *>(&h), a[0] & 3, 1); return b[h.i]; }
// expect AP
int t3(A) { Holds h; h.i = 1; static_cast<Empty &>(h) = Empty(); return b[h.i] + a[0]; }
// expect NSKTRU
int x4(A) { Twice t{{}, 1, {}}; memset(&t.e, a[0] & 3, 1); return b[t.i & 7]; }
// expect AP
int t4(A) { Twice t{{}, 1, {}}; t.e = Empty(); t.f = Empty2(); return b[t.i & 7] + a[0]; }
// expect NSKTRU
int x5(A) { unsigned w = 0x0403; auto *p = reinterpret_cast<std::uint8_t *>(&w); p[1] = a[0] & 3; return b[w >> 8 & 7]; }
// expect NSKTRU
int x6(A) { std::uint8_t c[4] = {1, 2, 3, 4}; std::uint16_t h = a[0] & 0x101; memcpy(c + 2, &h, 2); return b[c[3] & 7]; }
// expect AP
int t6(A) { std::uint8_t c[4] = {1, 2, 3, 4}; std::uint16_t h = n & 0x101; memcpy(c + 2, &h, 2); return b[c[3] & 7] + a[0]; }
// expect NSKTRU
int x7(A) { float f = 1; auto &w = reinterpret_cast<std::uint32_t &>(f); w = a[0] & 3; return b[(int)(f * 1e45f) & 3]; }
struct Q8 { int i, j; };
// expect NSKTRU
int x8(A) { Q8 q{0, 1}; int Q8::*m = &Q8::i; q.*m = a[0] & 3; return b[q.i]; }
// expect NSKTRU
int x9(A) { Q8 q[2] = {{0, 1}, {2, 3}}; (&q[0].i)[offsetof(Q8, j) / 4] = a[0] & 3; return b[q[0].j]; }
// expect NSKTRU
int x10(A) { int i = 0, j = 0; auto r = std::ref(i); std::reference_wrapper<int> s = r; s.get() = a[0] & 3; return b[i + j]; }
// expect AP
int t10(A) { int i = 0, j = 0; auto r = std::ref(i); std::reference_wrapper<int> s = r; s = std::ref(j); s.get() = a[0] & 3; return b[i] + j; }
// expect NSKTRU
int x11(A) { int t[4] = {0, 1, 2, 3}; std::span<int> s(t, 4); auto u = s.subspan(1, 2); u[1] = a[0] & 3; return b[t[2]]; }
// expect AP
int t11(A) { int t[4] = {0, 1, 2, 3}, o[4]; std::span<int> s(t, 4); s = o; s[1] = a[0] & 3; return b[t[2]] + o[1]; }
namespace one { static int pick(int) { return 1; } namespace { int where(int x) { return x & 3; } } }
namespace two { static int pick(int x) { return x & 3; } namespace { int where(int) { return 2; } } }
// expect NSKTRU
int x12(A) { using namespace two; return b[pick(a[0])]; }
// expect AP
int t12(A) { using namespace one; return b[pick(a[0])] + two::pick(a[1]); }
// expect NSKTRU
int x13(A) { return b[one::where(a[0])]; }
// expect AP
int t13(A) { return b[two::where(a[0])]; }
template <class T> struct Sel { static int at(int x) { return x & 3; } };
template <> struct Sel<long> { static int at(int) { return 1; } };
// expect NSKTRU
int x14(A) { return b[Sel<long long>::at(a[0])]; }
// expect AP
int t14(A) { return b[Sel<long>::at(a[0])]; }
template <class T> static int spec(T x) { return x & 3; }
template <> int spec<short>(short) { return 1; }
// expect NSKTRU
int x15(A) { return b[spec(+static_cast<short>(a[0]))]; }
// expect AP
int t15(A) { return b[spec(static_cast<short>(a[0]))]; }
struct Ov { int at(int x) const & { return 1; } int at(int x) && { return x & 3; } };
// expect NSKTRU
int x16(A) { Ov o; return b[std::move(o).at(a[0])]; }
// expect AP
int t16(A) { Ov o; return b[o.at(a[0])]; }
struct B17 { int at(int) { return 1; } };
struct D17 : B17 { int at(int x) { return x & 3; } };
// expect NSKTRU
int x17(A) { D17 d; B17 &r = d; return b[static_cast<D17 &>(r).at(a[0])]; }
// expect AP
int t17(A) { D17 d; B17 &r = d; return b[r.at(a[0])]; }
// expect NSKTRU
int x18(A) { int i = 0; { int i = 2; b[i] = 1; } for (int k = 0, i = a[0] & 3; k < 1; k++) b[i] = 1; return b[i]; }
// expect AP
int t18(A) { int i = 0; { int i = a[0]; b[1] = i; } for (int k = 0, i = 3; k < 1; k++) b[i] = a[1]; return b[i]; }
// expect NSKTRU
int x19(A) { alignas(Q8) unsigned char m[sizeof(Q8)]; Q8 *q = new (m) Q8{0, 1}; q->j = a[0] & 3; return b[q->j]; }
// expect NSKTRU
int x20(A) { Q8 q{0, 1}; auto &[i, j] = q; j = a[0] & 3; return b[q.j]; }
// expect AP
int t20(A) { Q8 q{0, 1}; auto [i, j] = q; j = a[0] & 3; return b[q.j] + j; }
// expect NSKTRU
int x21(A) { Q8 q{0, 1}; auto f = [q]() mutable -> int & { return q.j; }; f() = a[0] & 3; return b[f()]; }
// expect AP
int t21(A) { Q8 q{0, 1}; auto f = [q]() mutable -> int & { return q.j; }; f() = a[0] & 3; return b[q.j] + f(); }
// expect NSKTRU
int x22(A) { int t[2][3] = {}; int *p = t[0] + 3; t[1][0] = a[0] & 3; return p == &t[1][0] ? b[t[1][0]] : 0; }
struct Bf { unsigned i : 3, j : 3, k : 10; };
// expect NSKTRU
int x23(A) { Bf f{1, 2, 3}; f.j += a[0] & 1; return b[f.j]; }
// expect AP
int t23(A) { Bf f{1, 2, 3}; f.j += 7; f.k = a[0]; return b[f.j] + b[f.i]; }
union Two { float f; std::uint32_t w; };
// expect NSKTRU
int x24(A) { Two t{1.0f}; Two u = t; u.w += a[0] & 1; t = u; return b[t.f > 1.0f]; }
// expect AP
int t24(A) { Two t{1.0f}; Two u = t; u.w += a[0] & 1; return b[t.f > 1.0f] + (u.f > 1.0f); }
// expect NSKTRU
int x25(A) { static const int T[4] = {0, 1, 2, 3}; const int *p = T; p += a[0] & 1; return b[*p]; }
// expect AP
int t25(A) { static const int T[4] = {0, 1, 2, 3}; const int *p = T; p += n & 1; return b[*p] + a[0]; }

// 90 static_cast from a base class: the object is the derived one, or there is none
template <class D> struct B90 {
  int n = 0;
  int get(const int *p) { return p[static_cast<D *>(this)->idx()]; }
  int get0(const int *p) { return p[static_cast<D &>(*this).zero()]; }
};
struct P90 { int p[2]; };
struct X90 : B90<X90> { int k; int idx() { return k & 15; } int zero() { return n + 2; } };
struct Y90 : P90, B90<Y90> { int k; int idx() { return k & 15; } int zero() { return n + 1; } };
struct W90 : B90<W90> { int k; int idx() { n = k; return 0; } };
struct Z90 : B90<Z90> { int k[3]; int idx() { return 0; } };
struct V90 : Z90 { int q; };
// expect NSKTR
int x90(A) { X90 x; x.k = a[0]; return x.get(b); }
// expect AP
int t90(A) { X90 x; x.k = a[0]; return x.get0(b) ^ x.k; }
// expect NSKTR
int x91(A) { Y90 x{}; x.k = a[0]; return x.get(b); }
// expect AP
int t91(A) { Y90 x{}; x.k = a[0]; return x.get0(b) ^ x.k; }
// expect NSKTR
int x92(A) { W90 x; x.k = a[0] & 15; int r = x.get(b); return r + b[x.n]; }
// expect AP
int t92(A) { W90 x; x.k = 5; int r = x.get(b); return r ^ b[x.n] ^ a[0]; }
// expect NSKTR
int x93(A) { Z90 z[3]; for (int i = 0; i < 3; ++i) z[i].k[1] = a[i] & 15; B90<Z90> *p = &z[1]; return b[static_cast<Z90 *>(p)->k[1]]; }
// expect AP
int t93(A) { Z90 z[3]; for (int i = 0; i < 3; ++i) z[i].k[1] = i + 4; B90<Z90> *p = &z[1]; return b[static_cast<Z90 *>(p)->k[1]] ^ a[0]; }
// expect NSKTR
int x94(A) { V90 v{}; v.q = a[0] & 15; B90<Z90> &r = v; return b[static_cast<V90 &>(r).q]; }
// expect AP
int t94(A) { V90 v{}; v.q = a[0]; B90<Z90> &r = v; return static_cast<V90 &>(r).q ^ b[3]; }
// expect U
int x95(A) { B90<Z90> x; x.n = a[0]; return static_cast<Z90 *>(&x)->k[0] + b[0]; }
// expect U
int x96(A) { Z90 z{}; z.k[0] = a[0]; return static_cast<V90 *>(&z)->q; }
// expect AP
int t96(A) { Y90 *p = nullptr; B90<Y90> *q = p; return (static_cast<Y90 *>(q) == nullptr) ^ a[0]; }

// 97 a switch whose body is no block
// expect NSKTR
int x97(A) { int i = 0; switch (a[0] & 1) case 1: i = 3; return b[i]; }
// expect AP
int t97(A) { int i = 0; switch (a[0] & 1) case 1: i = 3; return b[2] ^ i; }
// expect NSKTR
int x98(A) { int i = 0; switch (2) default: i = a[0] & 7; return b[i]; }
// expect AP
int t98(A) { int i = 0; switch (2) default: i = a[0] & 7; return b[4] ^ i; }
// expect NSKTR
int x99(A) { int i = 0; switch (a[0] & 3) case 0: case 2: for (int k = 0; k < 3; ++k) { if (k == 1) break; i += 3; } return b[i]; }
// expect AP
int t99(A) { int i = 0; switch (a[0] & 3) case 0: case 2: for (int k = 0; k < 3; ++k) { if (k == 1) break; i += 3; } return b[0] ^ i; }

// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// An index that is uniform when it is first seen, and depends on data later: through closures, copies, swaps, views,
// fall-through, exits. The twin stays uniform.
// Functions with an x are refused, those with a t are their twins.
#include <array>
#include <cstring>
#include <tuple>
#include <utility>
#define A const int a[16], int b[16], int n
// expect NSKTRU
int x1(A) { int i = 0; auto f = [&] { if (a[1] > 0) i++; }; for (int k = 0; k < 3; k++) { b[i] = k; f(); } return 0; }
// expect AP
int t1(A) { int i = 0; auto f = [&] { if (a[1] > 0) b[8]++; i++; }; for (int k = 0; k < 3; k++) { b[i] = k; f(); } return 0; }
// expect NSKTRU
int x2(A) { int i = 0, j = 0; for (int k = 0; k < 3; k++) { b[i] = k; i = j; j = a[k] & 7; } return 0; }
// expect AP
int t2(A) { int i = 0, j = 0; for (int k = 0; k < 3; k++) { b[i] = a[k]; i = j; j = k & 7; } return 0; }
struct P3 { int i, j; };
// expect NSKTRU
int x3(A) { P3 p{0, 0}, q{0, 0}; for (int k = 0; k < 3; k++) { b[p.i] = k; p = q; q.i = a[k] & 7; } return 0; }
// expect AP
int t3(A) { P3 p{0, 0}, q{0, 0}; for (int k = 0; k < 3; k++) { b[p.i] = k; p = q; q.i = k & 7; q.j = a[k]; } return p.j; }
// expect NSKTRU
int x4(A) { int i = 0, j = 0; for (int k = 0; k < 4; k++) { b[i] = k; std::swap(i, j); if (k == 1) j = a[k] & 7; } return 0; }
// expect AP
int t4(A) { int i = 0, j = 0; for (int k = 0; k < 4; k++) { b[i] = a[k]; std::swap(i, j); if (k == 1) j = k & 7; } return 0; }
// expect NSKTRU
int x5(A) { int i = 0; switch (a[0] & 3) { default: b[i] = 1; case 1: i = 2; case 2: i++; } return b[i]; }
// expect AP
int t5(A) { int i = 0; switch (n & 3) { default: b[i] = a[1]; case 1: i = 2; case 2: i++; } return b[i]; }
// expect NSKTRU
int x6(A) { int m = 1, s = 0; for (int k = 0; k < 3; k++) { for (int l = 0; l < m; l++) s += b[l]; if (k == 1) m = a[0] & 7; } return s; }
// expect AP
int t6(A) { int m = 1, s = 0; for (int k = 0; k < 3; k++) { for (int l = 0; l < m; l++) s += b[l] + a[0]; if (k == 1) m = n & 7; } return s; }
// expect NSKTRU
int x7(A) { int i = 0; do { if (a[0] > 0) continue; i = 3; } while (0); return b[i]; }
// expect AP
int t7(A) { int i = 0; do { if (n > 0) continue; i = 3; } while (0); return b[i] + a[0]; }
// expect NSKTRU
int x8(A) { int i = 0; for (int k = 0; k < 4; k++) { b[i] = k; if (k == 0) continue; i = 1; if (a[k] > 0) break; } return b[i] + 0 * i; }
static int up9(const int *a, int &i) { if (a[0] > 0) return 1; i = 5; return 2; }
// expect NSKTRU
int x9(A) { int i = 0; up9(a, i); return b[i]; }
static int up9t(const int *a, int &i) { i = 5; if (a[0] > 0) return 1; return 2; }
// expect AP
int t9(A) { int i = 0; int r = up9t(a, i); return b[i] + r; }
// expect AP
int x10(A) { int i = 3, old = i; if (a[0] > 0) { i = 7; b[1] = 2; i = old; } return b[i]; }
// expect NSKTRU
int x11(A) { int i = a[0] & 7; i ^= i; return b[i]; }
// expect NSKTRU
int x12(A) { int i = 0, j = 3; (a[0] > 0 ? i : j) += 2; return b[j]; }
// expect AP
int t12(A) { int i = 0, j = 3; (n > 0 ? i : j) += 2; return b[j] + a[0]; }
// expect NSKTRU
int x13(A) { int i = 0; (void)(a[0] && (i = 3)); return b[i]; }
// expect AP
int t13(A) { int i = 0; (void)(n && (i = 3)); return b[i] + a[0]; }
// expect NSKTRU
int x14(A) { int idx[4] = {0}; for (int k = 1; k < 4; k++) idx[k] = idx[k - 1] + (a[k] & 1); return b[idx[3]]; }
// expect AP
int t14(A) { int idx[4] = {0}; for (int k = 1; k < 4; k++) idx[k] = idx[k - 1] + (k & 1); return b[idx[3]] + a[0]; }
// expect NSKTRU
int x15(A) { int *p = b; for (int k = 0; k < 3; k++) { *p = k; p += a[k] > 0 ? 1 : 2; } return 0; }
// expect AP
int t15(A) { int *p = b; for (int k = 0; k < 3; k++) { *p = a[k]; p += n > 0 ? 1 : 2; } return 0; }
// expect NSKTRU
int x16(A) { int *p = b, *q = b + 3; if (a[0] > 0) std::swap(p, q); return *p; }
// expect AP
int t16(A) { int *p = b, *q = b + 3; if (n > 0) std::swap(p, q); return *p + a[0]; }
struct S17 { int *p; int k; void step(const int *a) { if (a[k] > 0) ++p; k++; } int get() const { return *p; } };
// expect NSKTRU
int x17(A) { S17 s{b, 0}; int r = 0; for (int i = 0; i < 3; i++) { r += s.get(); s.step(a); } return r; }
struct S17t { int *p; int k; void step(const int *) { ++p; k++; } int get() const { return *p; } };
// expect AP
int t17(A) { S17t s{b, 0}; int r = a[0]; for (int i = 0; i < 3; i++) { r += s.get(); s.step(a); } return r; }
// expect NSKTRU
int x18(A) { int k = 0; for (int i = 0; i < 8; i++) if (a[i] > 0) { k = i; break; } b[k] = 1; return 0; }
// expect AP
int t18(A) { int k = 0; for (int i = 0; i < 8; i++) if (a[i] > 0) { k = i; break; } b[1] = k; return 0; }
// expect NSKTRU
int x19(A) { int i = 0; std::memcpy(&i, &a[0], sizeof i); return b[i & 7]; }
// expect AP
int t19(A) { int i = 0; std::memcpy(&i, &n, sizeof i); return b[i & 7] + a[0]; }
// expect NSKTRU
int x20(A) { int i = 0; std::memset(&i, a[0] & 1, sizeof i); return b[i & 7]; }
// expect AP
int t20(A) { int i = 5; std::memset(&i, 0, sizeof i); return b[i & 7] + a[0]; }
// expect NSKTRU
int x21(A) { int i = 0, *q = &i, **r = &q; **r = a[0] & 3; return b[i]; }
// expect AP
int t21(A) { int i = 0, *q = &i, **r = &q; **r = n & 3; return b[i] + a[0]; }
static int &ref22(int &x, int &y, bool c) { return c ? x : y; }
// expect NSKTRU
int x22(A) { int i = 0, j = 1; ref22(i, j, n > 0) = a[0] & 3; return b[j]; }
// expect AP
int t22(A) { int i = 0, j = 1; ref22(i, j, true) = a[0] & 3; return b[j] + i; }
// expect NSKTRU
int x23(A) { int i[2] = {0, 1}; auto f = [&](int k) -> int & { return i[k]; }; f(1) = a[0] & 3; return b[i[1]]; }
struct S24 { int i; int j; };
// expect NSKTRU
int x24(A) { S24 s{0, 1}; int *p = &s.i; *p = a[0] & 3; return b[s.i]; }
// expect AP
int t24(A) { S24 s{0, 1}; int *p = &s.i; *p = a[0] & 3; return b[s.j] + s.i; }
static int rec25(const int *a, int *b, int i, int d) { if (d == 0) return b[i]; if (a[d] > 0) return rec25(a, b, i + 1, d - 1); return rec25(a, b, i, d - 1); }
// expect AP
int x25(A) { return rec25(a, b, 0, 3); }
// expect NSKTRU
int x26(A) { int i = 0; while (i++ < 5 && a[i] > 0) ; return b[i]; }
// expect AP
int t26(A) { int i = 0, s = 0; while (i++ < 5) s += a[i]; return b[i] + s; }
// expect NSKTRU
int x27(A) { int i = 0; for (int k = 0; int t = a[k]; k++) { i = t; if (k > 3) break; } return b[i & 7]; }
// expect NSKTRU
int x28(A) { int i = 0; if (int t = a[0]; t > 0) i = 2; else i = 2 + (t & 1); return b[i]; }
// expect AP
int t28(A) { int i = 0; if (int t = a[0]; t > 0) b[1] = 2; else i = 0; i = 4; return b[i]; }
// expect NSKTRU
int x29(A) { int i = 0; [&] { if (a[0] > 0) return; i = 4; }(); return b[i]; }
// expect AP
int t29(A) { int i = 0; [&] { i = 4; if (a[0] > 0) return; b[2] = 1; }(); return b[i]; }
// expect NSKTRU
int x30(A) { int i = 0; auto g = [&]() mutable { return [&] { i += a[0] & 1; }; }; g()(); return b[i]; }
// expect NSKTRU
int x31(A) { std::array<int, 2> i = {0, 1}; for (auto &v : i) v += a[0] & 1; return b[i[0]]; }
// expect AP
int t31(A) { std::array<int, 2> i = {0, 1}; for (auto v : i) b[8] = v += a[0] & 1; return b[i[0]]; }
// expect NSKTRU
int x32(A) { auto t = std::make_pair(0, 1); auto &[u, v] = t; u = a[0] & 3; return b[t.first]; }
// expect AP
int t32(A) { auto t = std::make_pair(0, 1); auto [u, v] = t; u = a[0] & 3; return b[t.first] + u; }
// expect NSKTRU
int x33(A) { int i = 0, j = 5; for (int k = 0; k < 2; k++) { int &r = k ? i : j; b[i] = 1; r = a[k] & 7; } return b[i]; }
// expect NSKTRU
int x34(A) { int i = 0; for (int k = 0; k < 5; k++) { if (k == 4) b[i] = 1; i = k < 3 ? k : a[k] & 7; } return 0; }
// expect NSKTRU
int x35(A) { unsigned char i = 0; for (int k = 0; k < 3; k++) { b[i & 7] = 1; i = (unsigned char)(i * 2 + (a[k] > 0)); } return 0; }
// expect NSKTRU
int x36(A) { bool up = false; int i = 0; for (int k = 0; k < 3; k++) { if (up) i++; b[i] = 1; up = a[k] > 0; } return 0; }
// expect AP
int t36(A) { bool up = false; int i = 0; for (int k = 0; k < 3; k++) { if (up) b[9] = 2; i++; b[i] = 1; up = a[k] > 0; } return 0; }
// expect NSKTRU
int x37(A) { int i = 0; for (int k = 0; k < 2; k++) { switch (k) { case 0: if (a[0] > 0) break; i = 3; break; case 1: b[i] = 1; } } return 0; }
// expect AP
int t37(A) { int i = 0; for (int k = 0; k < 2; k++) { switch (k) { case 0: i = 3; if (a[0] > 0) break; b[9] = 1; break; case 1: b[i] = 1; } } return 0; }
// expect NSKTRU
int x38(A) { int i = 0; for (;;) { if (i == 3 || a[i] > 5) break; i++; } for (int k = 0; k < i; k++) b[k] = 0; return 0; }
// expect NSKTRU
int x39(A) { int m[2][2] = {{0, 1}, {2, 3}}; int (*r)[2] = m; if (a[0] > 0) r++; return b[(*r)[0]]; }
// expect AP
int t39(A) { int m[2][2] = {{0, 1}, {2, 3}}; int (*r)[2] = m; if (n > 0) r++; return b[(*r)[0]] + a[0]; }
// expect NSKTRU
int x40(A) { int i = 0; for (int k = 0; k < n; k++) { int old = i; i = k; if (a[k & 15] > 0) i = old; } return b[i & 7]; }
// expect AP
int t40(A) { int i = 0, s = 0; for (int k = 0; k < n; k++) { int old = i; i = k; if (a[k & 15] > 0) s = old; } return b[i & 7] + s; }

// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// Decisions that stop being true: counters that wrap, that are cut or stepped in another type, arrays that stay
// uniform until a later iteration, loops taken to run once, branches taken to be decided.
// Functions with an x are refused, those with a t are their twins.
#include <array>
#include <cstring>
#include <utility>
#define A const int a[16], int b[16], int n
typedef unsigned char u8;
// The loop over the end of int runs 96 times, not never.
// expect NSKTRU
int x1(A) { int k = 0; for (int i = 2147483600; i != -2147483600; i = (int)(i + 1u)) k = a[i & 15] & 3; return b[k]; }
// expect AP
int t1(A) { int k = 0; for (int i = 2147483600; i != -2147483600; i = (int)(i + 1u)) k = i & 3; return b[k] + a[k]; }
// The counter is cut to a byte, and never gets to 260; data end the loop.
// expect NSKTRU
int x2(A) { int i = 250; for (; i < 260; i = (u8)(i + 1)) if (a[i & 15] > 0) break; return b[i & 7]; }
// expect AP
int t2(A) { int i = 250, s = 0; for (int q = 0; q < 20; q++, i = (u8)(i + 1)) s += a[i & 15] > 0; return b[i & 7] + s; }
// expect NSKTRU
int x3(A) { int k = 0; for (u8 i = 250; i != 4; i += 2) if (i == 2) k = a[0] & 3; return b[k]; }
// expect AP
int t3(A) { int k = 0; for (u8 i = 250; i != 4; i += 2) if (i == 3) k = a[0] & 3; else b[1] = a[1]; return b[k & 0]; }
// Once, said the first walk; the second iteration stores data.
// expect NSKTRU
int x4(A) { int k = 0, go = 1; while (go) { b[k] = 1; go = 0; if (n > 3) { go = n - 3 < 2; n--; k = a[0] & 3; } } return 0; }
// expect AP
int t4(A) { int k = 0, go = 1; while (go) { b[k] = a[0]; go = 0; if (n > 3) { go = n - 3 < 2; n--; k = 2; } } return 0; }
// expect NSKTRU
int x5(A) { int i = 0, *p = &i; for (int q = 0; q < 2; q++) { b[i] = q; if (q == 0) { int *r = p; *r = a[0] & 3; } } return 0; }
// expect AP
int t5(A) { int i = 0, k = 0, *p = &i; for (int q = 0; q < 2; q++) { b[i] = q; if (q == 0) { int *r = p; r = &k; *r = a[0] & 3; } } return k; }
struct S6 { int i; int *p; };
// expect NSKTRU
int x6(A) { S6 s{0, nullptr}; s.p = &s.i; S6 c = s; *c.p = a[0] & 3; return b[s.i]; }
// expect AP
int t6(A) { S6 s{0, nullptr}; s.p = &s.i; S6 c = s; c.p = &c.i; *c.p = a[0] & 3; return b[s.i] + c.i; }
// expect NSKTRU
int x7(A) { int t[4] = {0, 1, 2, 3}; int k = 1; for (int q = 0; q < 3; q++) { k = t[k]; t[(k + 1) & 3] = a[q] & 3; } return b[k]; }
// expect AP
int t7(A) { int t[4] = {0, 1, 2, 3}; int k = 1; for (int q = 0; q < 3; q++) { k = t[k]; t[(k + 1) & 3] = q & 3; } return b[k] + a[k]; }
// expect NSKTRU
int x8(A) { int m[2][2] = {}; for (int q = 0; q < 2; q++) m[q][1 - q] = a[q] & 3; int (*r)[2] = m; return b[r[1][0]]; }
// expect AP
int t8(A) { int m[2][2] = {}, o = 0; for (int q = 0; q < 2; q++) o += a[q] & 3; int (*r)[2] = m; return b[r[1][0]] + o; }
// expect NSKTRU
int x9(A) { int k = 0; bool first = true; for (int q = 0; q < 3; q++) { if (!first) b[k] = q; first = false; k = a[q] & 3; } return 0; }
// expect AP
int t9(A) { int k = 0; bool first = true; for (int q = 0; q < 3; q++) { if (!first) b[k] = a[q]; first = false; k = q & 3; } return 0; }
// expect NSKTRU
int x10(A) { int k = 0; for (int q = 0; q < 4; q++) { if (q == 3) return b[k]; if (a[q] > 0) continue; k++; } return 0; }
// expect AP
int t10(A) { int k = 0, s = 0; for (int q = 0; q < 4; q++) { if (q == 3) return b[k] + s; k++; if (a[q] > 0) continue; s++; } return 0; }
// expect NSKTRU
int x11(A) { int k = 0; auto set = [&](int v) { k = v; }; auto twice = [&](auto f, int v) { f(v); f(v); }; twice(set, a[0] & 3); return b[k]; }
// expect AP
int t11(A) { int k = 0, o = 0; auto set = [&](int v) { o = v; }; auto twice = [&](auto f, int v) { f(v); f(v); }; twice(set, a[0] & 3); return b[k] + o; }
static void rec12(int &k, const int *a, int d) { if (d == 0) { k = a[0] & 3; return; } rec12(k, a, d - 1); }
static void rec12t(int &k, const int *a, int d) { if (d == 0) { k = 3; return; } rec12t(k, a, d - 1); }
// expect NSKTRU
int x12(A) { int k = 0; rec12(k, a, 3); return b[k]; }
// expect AP
int t12(A) { int k = 0; rec12t(k, a, 3); return b[k] + a[0]; }
// expect NSKTRU
int x13(A) { unsigned k = 7; for (int q = 0; q < 3; q++) k = k * 3 + (a[q] > 0 ? 0 : 0 * k + (unsigned)q); return b[k & 7]; }
// expect AP
int t13(A) { unsigned k = 7; for (int q = 0; q < 3; q++) k = k * 3 + (unsigned)q; return b[k & 7] + a[0]; }
// expect NSKTRU
int x14(A) { int k = n; while (k > 3) { if (a[k & 7] > 0) k -= 2; else k -= 2, k += 0 * a[0], k -= 1; } return b[k & 3]; }
// expect AP
int t14(A) { int k = n, s = 0; while (k > 3) { if (a[k & 7] > 0) s++; k -= 2; } return b[k & 3] + s; }
// expect NSKTRU
int x15(A) { int i = 0; goto on; back: return b[i]; on: i = a[0] & 3; goto back; }
// expect NSKTRU
int x16(A) { std::array<int, 3> k{0, 1, 2}; auto c = k; c[1] = a[0] & 3; k = c; return b[k[1]]; }
// expect AP
int t16(A) { std::array<int, 3> k{0, 1, 2}; auto c = k; c[1] = a[0] & 3; k = {c[0], 2, 0}; return b[k[1]] + c[1]; }
// expect NSKTRU
int x17(A) { int i = 0; int &r = n > 3 ? i : b[0]; r = a[0] & 3; return b[8 + i]; }
// expect AP
int t17(A) { int i = 0, k = 0; int &r = n > 3 ? k : b[0]; r = a[0] & 3; return b[8 + i] + k; }
// expect NSKTRU
int x18(A) { int i = 4; do { if (i == 3) b[i] = 1; i--; if (i == 2) i = a[0] & 1; } while (i > 0); return 0; }
// expect AP
int t18(A) { int i = 4; do { if (i == 3) b[i] = a[0]; i--; if (i == 2) i = n & 1; } while (i > 0); return 0; }
// expect NSKTRU
int x19(A) { int i = 0; for (long q = 4294967294; q < 4294967299; q = (unsigned)(q + 1)) { if (q == 1) { i = a[0] & 3; break; } } return b[i]; }
// expect AP
int t19(A) { int i = 0; for (long q = 4294967294; q < 4294967299; q = (unsigned)(q + 1)) { if (q == 1) { i = 3; break; } } return b[i] + a[0]; }
// expect NSKTRU
int x20(A) { int i = 0; for (unsigned q = 3; q < 10; q--) i = q == 0 ? a[0] & 3 : 1; return b[i]; }
// expect AP
int t20(A) { int i = 0; for (unsigned q = 3; q < 10; q--) i = q == 0 ? 3 : 1; return b[i] + a[0]; }
// expect NSKTRU
int x21(A) { int i = 0; for (short q = 32766; q > 0; q += 1) i = q == 32767 ? a[0] & 3 : 1; return b[i]; }
// expect AP
int t21(A) { int i = 0; for (short q = 32766; q > 0; q += 1) i = q == 32767 ? 3 : 1; return b[i] + a[0]; }
// expect NSKTRU
int x22(A) { int k[2] = {0, 0}; for (int q = 0; q < 2; q++) { int *p = q ? &k[0] : &k[1]; *p = q ? a[0] & 3 : 2; } return b[k[0]]; }
// expect AP
int t22(A) { int k = 0, o = 0; for (int q = 0; q < 2; q++) { int *p = q ? &k : &o; *p = q ? 2 : n & 3; } return b[k] + o + a[0]; }

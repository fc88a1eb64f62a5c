// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=gnu17
//
// Values where C lets them be written: behind labels, in lists, in operands of every width. Functions with an x are
// refused, those with a t are their twins, whose results are those of the original.
#include <stdint.h>
#include <string.h>
#define ARGS const int a[16], int b[16]

// 1 a label in front of a statement expression's value
// expect NSKTRU
int x1(ARGS) { return b[({ int k = a[0] & 7; done: k; })]; }
// expect AP
int t1(ARGS) { return ({ int k = a[0] & 7; done: k + 1; }) + b[({ int k = 3; next: again: k; })]; }
// expect NSKTRU
int x2(ARGS) { return b[({ a[0] & 7;; })]; }
// expect AP
int t2(ARGS) { return ({ a[0] & 7;;; }) + b[({ 2;; })]; }
// 3 products of sizes
// expect AP
int t3(ARGS) { int n = 3; memcpy(b, a, 2 * n * 2); return b[2]; }
// expect AP
int t4(ARGS) { int n = 3; memcpy(b, a, n * 4u); memmove(b + 1, b, sizeof *b * n); memset(b + 8, 0, n << 2); return b[3]; }
// expect NSKTRU
int x3(ARGS) { memcpy(b, a, 2 * (a[0] & 3) * 2); return b[2]; }
// 5 labels of switches, and what stands before the first
// expect AP
int t5(ARGS) { switch ((int64_t)a[0] * 0x100000000) { case INT64_MIN: return a[1]; case 0x7fffffff00000000: return a[2]; case 0: return a[3]; } return a[4]; }
// expect AP
int t6(ARGS) { switch ((uint64_t)a[0]) { case 0xffffffffffffffff: return a[1]; case 0x7fffffff: return a[2]; case 0xffffffff80000000 ... 0xfffffffffffffff0: return a[3]; } return a[4]; }
// expect AP
int t7(ARGS) { int r = 0; switch (a[0] & 7) { int y; case 1: y = 5; r = y; break; default: r = 9; case 3: y = 2; r += y; case 4: r *= 3; break; case 5:; } return r; }
// 8 truth values that are counted up and down
// expect AP
int t8(ARGS) { _Bool q = a[0] & 1; q--; int r = q; q--; r = r * 10 + q; q++; q++; q += 5; q <<= 3; q = q + q; return r * 10 + q; }
// 9 a struct that is returned into its argument
struct K { int x; char c; short h[3]; };
static struct K next9(struct K *p) { p->x++; struct K r = {p->x * 2, 1, {1, 2, 3}}; p->x++; return r; }
// expect AP
int t9(ARGS) { struct K s = {a[0] & 7}; s = next9(&s); return s.x * 10 + s.h[2]; }
static int write10(struct K s, struct K *p) { p->x = 77; s.h[1]++; return s.x + s.h[1]; }
// expect AP
int t10(ARGS) { struct K s = {a[0] & 7, 1, {1, 2, 3}}; int r = write10(s, &s); return r * 100 + s.x + s.h[1]; }
// expect AP
int t11(ARGS) { struct K s = {1, 2, {3, 4, 5}}, t; t = s; s = (struct K){t.h[0], s.x, {s.h[2], s.h[1], s.h[0]}}; return s.x * 1000 + s.c * 100 + s.h[0] * 10 + s.h[2] + (a[0] & 1); }
// 12 parameters without a prototype
static int old12(c, f, u) char c; float f; unsigned short u; { return c + (int)f + u; }
// expect AP
int t12(ARGS) { return old12(a[0], (double)(a[1] & 255) + 0.1, a[2]); }
// 13 widths and signs of bit-fields
// expect AP
int t13(ARGS) { struct { int a : 3; unsigned b : 4; long c : 20; _Bool d : 1; } s = {a[0], a[1], a[2], a[3]}; s.a++; s.b -= 3; s.c *= 3; s.d ^= 1; return s.a + 10 * s.b + 100 * s.c + s.d + (s.b - 20 < 0) * 7 + s.a * 4; }
// expect AP
int t14(ARGS) { unsigned char c = a[0]; c += 1.5; c -= 300; c *= 3; c >>= 1; signed char s = a[1]; s /= 3; s %= 5; return c + 1000 * s; }
// 14 pragmas by which Clang rounds in another way, and others do not
// expect U
int up14(ARGS) {
#pragma STDC FENV_ROUND FE_UPWARD
  return (int)(a[0] * 0.1);
}
// expect U
int inner14(ARGS) { if (a[0] > 0) {
#pragma STDC FENV_ROUND FE_DOWNWARD
  return (int)(a[0] / 3.0); } return 0; }
// expect U
int method14(ARGS) {
#pragma clang fp eval_method(double)
  return (int)((float)a[0] * 0.1f);
}
// expect U
int fast14(ARGS) {
#pragma clang fp reassociate(on)
  return (int)((float)a[0] + a[1] - (float)a[0]);
}
// expect U
int reciprocal14(ARGS) {
#pragma clang fp reciprocal(on)
  return (int)((float)a[0] / a[1]);
}
// expect AP
int whole14(ARGS) {
#pragma clang fp reassociate(on)
  return a[0] + a[1];
}
// expect AP
int near14(ARGS) {
#pragma STDC FENV_ROUND FE_TONEAREST
#pragma STDC FENV_ACCESS ON
  return (int)(a[0] * 0.1);
}
// 15 the same for all that follows
#pragma float_control(precise, off)
// expect U
int loose15(ARGS) { return (int)((float)a[0] + a[1] - (float)a[0]); }
#pragma float_control(precise, on)
// expect AP
int precise15(ARGS) { return (int)((float)a[0] + a[1] - (float)a[0]); }

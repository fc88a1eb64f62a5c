// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=gnu17
//
// Evaluations in constructs of C and GNU C: selections, statement expressions, sizes, labels, atomics, designators.
// Functions with an x are refused, those with a t are their twins.
#define _GNU_SOURCE
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#define L (b[a[0] & 7] = 1)
#define U (b[3] = 1)
#define ARGS const int a[16], int b[16]
// expect NSKTRU
int x1(ARGS) { return _Generic(L, int: 1, default: 2) + _Generic(1, int: L, default: 2); }
// expect AP
int t1(ARGS) { return _Generic(L, int: 1, default: 2) + _Generic(1, int: U, default: 2) + a[0]; }
// expect NSKTRU
int x2(ARGS) { return ({ int k = L; k; }) + 1; }
// expect AP
int t2(ARGS) { return ({ int k = U; k; }) + a[0]; }
// expect NSKTRU
int x3(ARGS) { if (({ L; 0; })) return 1; return 0; }
// expect AP
int t3(ARGS) { if (({ U; 0; })) return 1; return a[0]; }
static int g4(int n, const int *a, int *b, int t[L + n]) { return t[0]; }
// expect NSKTRU
int x4(ARGS) { int q[20] = {0}; return g4(2, a, b, q); }
static int g4t(int n, const int *a, int *b, int t[U + n]) { return t[0]; }
// expect AP
int t4(ARGS) { int q[20] = {0}; return g4t(2, a, b, q) + a[0]; }
// expect NSKTRU
int x5(ARGS) { void *t[2] = {&&p, &&q}; goto *t[a[0] & 1]; p: return 1; q: return 2; }
// expect NSKTRU
int x6(ARGS) { return __builtin_choose_expr(sizeof(int) == 4, L, 0); }
// expect AP
int t6(ARGS) { return __builtin_choose_expr(sizeof(int) == 4, U, L) + a[0]; }
// expect NSKTRU
int x7(ARGS) { return __atomic_load_n(&b[a[0] & 7], 5); }
// expect NSKTRU
int x8(ARGS) { __atomic_store_n(&b[a[0] & 7], 1, 5); return 0; }
// expect NSKTRU
int x9(ARGS) { return __sync_fetch_and_add(&b[a[0] & 7], 1); }
// expect NSKTRU
int x10(ARGS) { _Complex double c[4] = {0}; c[a[0] & 3] = 1.0; return (int)creal(c[0]); }
struct flex { int n; int t[]; };
// expect NSKTRU
int x11(struct flex *s, const int a[16]) { return s->t[a[0] & 3]; }
struct D { int x, t[3]; struct { int u, v; } in[2]; };
// expect NSKTRU
int x12(ARGS) { struct D d = {.t[1] = L, .in[1].v = 3, .x = 1}; return d.x; }
// expect AP
int t12(ARGS) { struct D d = {.t[1] = U, .in[1].v = a[2], .x = 1}; return d.x + d.in[1].v + d.t[1] + d.in[0].u + d.t[2]; }
// expect NSKTRU
int x13(ARGS) { return ((int[]){1, 2, 3, 4})[a[0] & 3]; }
// expect AP
int t13(ARGS) { return ((int[]){1, 2, 3, a[0]})[3]; }
// expect NSKTRU
int x15(ARGS) { return (int)sizeof(int[L + 1]); }
// expect NSKTRU
int x16(ARGS) { typeof(int[L + 1]) t; t[0] = 1; return t[0]; }
// expect NSKTRU
int x17(ARGS) { __asm__ volatile("" : "+m"(b[a[0] & 7])); return 0; }
// expect NSKTRU
int x18(ARGS) { return __builtin_expect_with_probability(L, 1, 0.5) > 5; }
// expect AP
int t18(ARGS) { return (__builtin_expect_with_probability(a[0], 1, 0.5) > 5) + U; }
// expect NSKTRU
int x19(ARGS) { int r; return __builtin_add_overflow(a[1], a[2], &b[a[0] & 7]); }
// expect AP
int t19(ARGS) { return __builtin_add_overflow(a[1], a[2], &b[6]) + __builtin_mul_overflow(a[1], a[2], &b[7]); }
// expect AP
int t20(ARGS) { return (int)__builtin_object_size((L, b), 0) * 0 + a[0] + (b[1] = 4); }
// expect NSKTRU
int x21(ARGS) { return a[1] ?: L; }
// expect AP
int t21(ARGS) { return a[1] ?: U; }
// expect NSKTRU
int x22(ARGS) { memset(&b[a[0] & 7], 0, 4); return 0; }
// expect NSKTRU
int x23(ARGS) { memmove(b, b + 1, (a[0] & 3) * 4); return 0; }
// expect AP
int t23(ARGS) { memmove(b, b + 1, 12); memcpy(b + 8, a, 16); return memcmp(a, b, 8) == 0; }
// expect NSKTRU
int x24(ARGS) { return (int)strlen((const char *)b); }
// expect NSKTRU
int x25(ARGS) { bzero(&b[a[0] & 7], 4); return 0; }
// expect AP
int t25(ARGS) { bzero(&b[6], 8); return a[3]; }
// expect NSKTRU
int x26(ARGS) { int *p = mempcpy(b, a, 8); return *p + *(p + (a[0] & 1)); }
// expect NSKTRU
int x27(ARGS) { switch (a[0] & 7) { case 0 ... 3: return b[1]; case 4: return L; } return 0; }
// expect AP
int t27(ARGS) { switch (a[0] & 7) { case 0 ... 3: return b[1]; case 4: return U; } return 0; }
static int (*fp28)(int) = abs;
// expect NSKTRU
int x28(ARGS) { int (*f)(int) = a[0] ? abs : abs; return f(3); }
// expect NSKTRU
int x29(ARGS) { int *restrict p = b, *restrict q = b + (a[0] & 3); *p = 1; return *q; }
// expect NSKTRU
int x30(ARGS) { for (int i = (L, 0); i < 2; i++) b[i] = i; return 0; }
// expect AP
int t30(ARGS) { for (int i = (U, 0); i < 2; i++) b[i] = a[i]; return 0; }
// expect NSKTRU
int x31(ARGS) { int i = 0; while (L, i < 2) i++; return i; }
// expect NSKTRU
int x32(ARGS) { int i = 0; do i++; while ((L, i < 2)); return i; }
// expect AP
int t32(ARGS) { int i = 0; do i++; while ((U, i < 2)); return i + a[0]; }
typedef int row[4];
// expect NSKTRU
int x33(ARGS) { row *r = (row *)b; return r[a[0] & 3][1]; }
// expect AP
int t33(ARGS) { row *r = (row *)b; return r[2][1] + (*(r + 1))[2] + a[0]; }
// expect NSKTRU
int x34(ARGS) { const int *const *p = &(const int *){a}; return b[**p & 7]; }
// expect AP
int t34(ARGS) { const int *const *p = &(const int *){a}; return b[3] + **p; }
struct bf { unsigned lo : 3, hi : 5; signed s : 4; };
// expect NSKTRU
int x35(ARGS) { struct bf f = {.lo = a[0]}; return b[f.lo]; }
// expect AP
int t35(ARGS) { struct bf f = {.lo = a[0], .s = a[1]}; f.hi ^= f.lo; f.s += 3; f.lo++; return f.lo + f.hi + f.s; }
// expect NSKTRU
int x36(ARGS) { struct bf f[4] = {{0}}; (f + (a[0] & 3))->hi |= 1; return f[1].hi; }
// expect NSKTRU
int x37(ARGS) { return b[({ int z = a[0] & 7; z; })]; }
// expect NSKTRU
int x38(ARGS) { goto in; { L; in: ; } return 1; }
// expect NSKTRU
int x39(ARGS) { int i = 0; again: b[i] = 1; if (++i < 3) goto again; return 0; }
// expect NSKTRU
int x40(ARGS) { return offsetof(struct D, t[1]) + *(int *)((char *)b + (a[0] & 4)); }
// expect NSKTRU
int x41(ARGS) { _Static_assert(sizeof(int) == 4, ""); extern int ext41(int); return ext41(a[0]); }
// expect NSKTRU
int x43(ARGS) { char s[] = "abc"; return s[a[0] & 3]; }
// expect AP
int t43(ARGS) { char s[8] = "abc"; s[1] = a[0]; return s[1] + s[2] + s[7]; }
// expect NSKTRU
int x44(ARGS) { union { int i; unsigned char c[4]; } u; u.i = a[0]; return b[u.c[0] & 7]; }
// expect NSKTRU
int x45(ARGS) { volatile int i = a[0] & 7; return b[i]; }
// expect NSKTRU
int x46(ARGS) { register int i __asm__("rbx") = a[0] & 7; return b[i]; }
// expect NSKTRU
int x47(ARGS) { return *(int *)__builtin_assume_aligned(&b[a[0] & 7], 4); }
// expect AP
int t47(ARGS) { return *(int *)__builtin_assume_aligned(&b[6], 4) + a[0]; }

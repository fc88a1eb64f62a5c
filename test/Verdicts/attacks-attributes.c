// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=gnu17
// RUN: not %colonnade check %s -f t1 -- -w -fwrapv 2>&1 | FileCheck %s --check-prefix=WRAP
// RUN: not %colonnade check %s -f t1 -- -w -ftrapv 2>&1 | FileCheck %s --check-prefix=WRAP
// RUN: %colonnade check %s -f t1 -- -w -fwrapv -fno-wrapv
// WRAP: {{^}}error: the flags say what a signed sum does that overflows (-fwrapv, -ftrapv)
//
// Attributes that give a variable another value or add a call; a flag that changes what sums are. Functions with an x are
// refused, those with a t are their twins.
#define A const int a[16], int b[16], int n
static const int real_[4] = {3, 1, 2, 5};
static const int alias_[4] __attribute__((alias("real_")));
static const int zero_[4] __attribute__((aligned(32), unused));
// expect U
int x1(A) { return b[alias_[0]] + a[0]; }
// expect AP
int t1(A) { return b[zero_[0]] + a[0]; }
struct pair { int x, y; };
static const struct pair pair_ = {3, 1};
static const struct pair other_ __attribute__((alias("pair_")));
// expect U
int x2(A) { return b[other_.x] + a[0]; }
// expect AP
int t2(A) { return b[pair_.x] + a[0]; }
static int *kept; static const int *data;
static void fin(const int (*p)[2]) { kept[data[0] & 7] = (*p)[0]; }
// expect U
int x3(A) { __attribute__((cleanup(fin))) const int t[2] = {1, 2}; return b[t[1]] + a[0]; }
// expect AP
int t3(A) { __attribute__((may_alias)) typedef int m; const m t[2] = {1, 2}; return b[t[1]] + a[0]; }
__attribute__((naked)) static int bare(int x) { __asm__("ret"); }
// expect U
int x4(A) { return b[bare(3)] + a[0]; }
__attribute__((const, noinline, hot, section(".text.hot"), visibility("hidden"))) static int three(int x) { return x; }
// expect AP
int t4(A) { return b[three(3)] + a[0]; }

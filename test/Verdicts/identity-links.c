// RUN: split-file %s %t
// RUN: %python %S/verdicts.py %colonnade %t/alone.c -- -w -std=c17
// RUN: not %colonnade check %t/one.c %t/two.c -f inlined -f gnu_inlined 2>&1 | FileCheck %t/one.c
// RUN: not %colonnade check %t/one.c %t/two.c -f defined_twice 2>&1 | FileCheck %t/one.c --check-prefix=TWICE
// RUN: %colonnade check %t/one.c %t/two.c -f own 2>&1 | FileCheck %t/one.c --check-prefix=OWN
//
// What a call calls is not always what the file shows: an inline definition of C has another
// beside it, an assembler label is another name, and a function of the library may be defined here.

//--- alone.c
static const int table[8] = {3, 1, 2, 3, 4, 5, 6, 7};
inline int inline_index(int x) { return 0; }
extern __inline __attribute__((gnu_inline)) int gnu_index(int x) { return 0; }
inline int emitted(int x) { return x & 3; }
extern inline int emitted(int x);
static inline int local(int x) { return x & 3; }
int abs(int) __asm__("elsewhere");
int elsewhere(int x) { return table[x & 7]; }
double floor(double) __asm__("lower");
double lower(double x) { return table[(int)x & 7]; }
double frexp(double x, int *e) { *e = table[(int)x & 7]; return x; }

// expect U
void by_inline(const int b[8], int out[8]) { out[inline_index(b[0])] = 1; }
// expect U
void by_gnu_inline(const int b[8], int out[8]) { out[gnu_index(b[0])] = 1; }
// expect A
void by_emitted(const int b[8], int out[8], int n) { out[emitted(n)] = b[0]; }
// expect A
void by_local(const int b[8], int out[8], int n) { out[local(n)] = b[0]; }
// expect U
void by_label(const int b[8], int out[8]) { out[0] = abs(b[0]); }
// expect U
void by_label_of_math(const double b[8], double out[8]) { out[0] = floor(b[0]); }
// expect U
void by_own_definition(const double b[8], double out[8]) { int e; out[0] = frexp(b[0], &e); }

static int narrow(a, c) float a; unsigned char c; { return (int)(a * 3) + c; }
static int unprototyped();
// expect A
void old_style(const float b[8], int out[8]) { out[0] = narrow(b[0], out[1]); out[1] = unprototyped(b[1]); }
static int unprototyped(x) double x; { return x < 1; }

//--- one.c
inline int index_of(int x) { return 0; }
extern __inline __attribute__((gnu_inline)) int other_index_of(int x) { return 0; }
// CHECK: inlined: reject, class S
void inlined(const int b[8], int out[8]) { out[index_of(b[0])] = 1; }
// CHECK: gnu_inlined: reject, class S
void gnu_inlined(const int b[8], int out[8]) { out[other_index_of(b[0])] = 1; }
inline int own_index(int x) { return x & 7; }
extern inline int own_index(int x);
long labs(long x);
// TWICE: not supported: call of 'labs', a library function that another file defines, too
void defined_twice(const int b[8], int out[8], int n) { out[labs(n)] = b[0]; }
// OWN: own: accept, class A
void own(const int b[8], int out[8], int n) { out[own_index(n)] = b[0]; }

//--- two.c
int index_of(int x) { return x & 7; }
int other_index_of(int x) { return x & 7; }
long labs(long x) { return x & 1; }

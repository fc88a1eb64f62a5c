// Options that messages print are ready to paste: with them the finding is gone, and the class
// is the second one.
//
// RUN: %python %S/Inputs/paste_options.py %colonnade %s

#include "Inputs/options.h"
#include <colonnade/annotate.h>

// paste OBL203 T P
float sum(const float *b, int *len) {
  float s = 0;
  int m = len[0];
  for (int i = 0; i < m; i++)
    s += b[i];
  len[0] = 0;
  return s;
}

// paste OBL205 T P
int bits(unsigned *x) {
  int k = 0;
  while (x[0] > 1) {
    x[0] /= 2;
    k++;
  }
  return k;
}

// The number in the option is what the types show: the limit is not negative, whatever it is.
// paste OBL205 T P
unsigned root(unsigned *num) {
  unsigned bit = 1u << 30;
  while (bit > num[0])
    bit >>= 2;
  num[0] -= bit;
  return bit;
}
// RUN: not %colonnade check %s -f root 2>&1 | FileCheck %s --check-prefix=PROVED
// PROVED: such as --bound {{[0-9]+}}=16, or
// RUN: not %colonnade check %s -f signed_root 2>&1 | FileCheck %s --check-prefix=EXAMPLE
// EXAMPLE: such as --bound {{[0-9]+}}=1000, or
int signed_root(int *num) {
  unsigned bit = 1u << 30;
  while ((int)bit > num[0])
    bit >>= 2;
  num[0] -= (int)bit;
  return (int)bit;
}

// paste OBL206 T P
int grow(const int *b, int n) {
  int x = 1;
  while (x < n) {
    x *= 3;
    if (x > b[n])
      break;
  }
  return x;
}

// paste OBL211 T P
void under_mask(int *b, unsigned n) {
  if (b[0] > 0)
    while (n != 1) {
      b[1]++;
      n = n & 1 ? 3 * n + 1 : n / 2;
    }
}

// A bound in another file is named with the file.
// paste OBL205 T P
float elsewhere(const float *b, int *len) { return sum_in_header(b, len); }

struct filter {
  int taps;
  unsigned short stride;
  float state[8];
};
// paste OBL210 K A
void field(struct filter *f, float *b) {
  for (int i = 0; i < f->taps; i++)
    b[i * f->stride] = f->state[1];
}

// paste OBL209 K A
void offset(float *b, const int *m) { b[2 * m[0] + 1] = 0; }

// paste OBL209 K A
void null_test(float *a, float *b, const int *m) {
  float *p = m[0] ? a : b;
  p[3] = 0;
}

// paste OBL201 N A
void pattern(float *b, const int *col, int n) {
  for (int i = 0; i < n; i++)
    b[col[i]] = 0;
}

// paste OBL302 U A --uniform b
void stored(float *b) { b[0] = 1; }

// paste OBL303 U A --extent b=n
void outside(float *b, int n) {
  for (int i = 0; i <= n; i++)
    b[i] = 0;
}

// paste OBL103 A A --uniform perm
void unknown(float *b, const int *perm, int n) {
  for (int i = 0; i < n; i++)
    b[perm[i]] += 1;
}

static int triangle(int n) { return n <= 0 ? 0 : n + triangle(n - 1); }
// paste OBL301 U A
void recursion(int *a, int n) { a[0] = triangle(n); }

// while (x >>= 1) and its kin: the step is in the condition.
// paste OBL205 T P
int log2_of(const unsigned *x) {
  int k = 0;
  unsigned v = x[0];
  while (v >>= 1)
    k++;
  return k;
}
// RUN: not %colonnade check %s -f log2_of 2>&1 | FileCheck %s --check-prefix=HALVED
// HALVED: such as --bound [[#]]=32, or
//
// Not where the body sets it anew.
int restarted(const unsigned *x) {
  int k = 0;
  unsigned v = x[0];
  while (v >>= 1) {
    v |= x[k & 1];
    k++;
  }
  return k;
}
// RUN: not %colonnade check %s -f restarted 2>&1 | FileCheck %s --check-prefix=RESTARTED
// RESTARTED: such as --bound [[#]]=1000, or

// How many structs there are, where no access tells.
struct pair {
  int a, b;
};
// paste OBL301 U A --uniform order
void spread(struct pair *p, const int *order, int n) {
  for (int i = 0; i < n; i++)
    p[order[i]].a += p[order[i]].b;
}

// Two findings of one kind at one place have an option each.
static void add(int *a, const int *at, int n) {
  for (int i = 0; i < *at; i++)
    a[i + n] += 1;
}
// paste OBL210 K A
void twice(int *a COLONNADE_EXTENT(64), const int *first, const int *second) {
  add(a, first, 0);
  add(a, second, 32);
}

// A bound is about a loop of the source, also where a size leaves the loop out.
// RUN: %colonnade check %s -f skipped --size deep=0 --bound %(line+4)=8
int skipped(const unsigned *x, int deep) {
  unsigned v = x[0];
  if (deep)
    while (v != 1)
      v = v % 3 + 1;
  return (int)v;
}
// RUN: not %colonnade check %s -f skipped --size deep=0 --bound %(line-3)=8 2>&1 | FileCheck %s --check-prefix=NO-LOOP
// NO-LOOP: 'skipped' has no loop at line

// What no size cures is not told to have one: data end this recursion.
// RUN: not %colonnade check %s -f climb --size n=8 2>&1 | FileCheck %s --check-prefix=SIZED
// SIZED: error: not supported: recursion of 'sift' {{.*}}: write it as a loop where memory decides the depth; the rest
static int sift(const int *a, int n, int i) {
  return i < n && a[i] > 0 ? sift(a, n, i + a[i]) : i;
}
int climb(const int *a, int n) { return sift(a, n, 0); }

// Where no instance data is read, the report says so, with what may be: what no address depends on.
// RUN: %colonnade check %s -f price | FileCheck %s
float price(float S, float K, int steps, float *scratch COLONNADE_UNIFORM) {
  float p = S - K;
  for (int i = 0; i < steps; i++)
    p *= 0.5f;
  return p;
}
// CHECK: price: accept, class A
// CHECK-NEXT: it reads no instance data: {{.*}} --instance S --instance K{{$}}
// What is written alone makes no difference between instances, what is read first does.
// RUN: %colonnade check %s -f quotient -f remainder_of | FileCheck %s --check-prefix=WRITES
void quotient(unsigned a, unsigned b, unsigned *q) { *q = a / (b | 1); }
// RUN: %colonnade check %s -f clear | FileCheck %s --check-prefix=CLEAR --implicit-check-not=instance
void clear(float *b, int n) { b[n] = 0; }
// CLEAR: clear: accept, class A
void remainder_of(unsigned b, unsigned *a) { *a %= (b | 1); }
// WRITES: quotient: accept, class A
// WRITES-NEXT: it reads no instance data: {{.*}} --instance a --instance b{{$}}
// WRITES-NOT: reads no instance data
// WRITES: remainder_of: accept, class A

//===- subset.c - C that the front end lowers -*- C -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read by FrontendTests: every function is lowered without an unsupported
// construct, but for `cmath`.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct inner {
  float w[3];
  int k;
};
struct outer {
  struct inner in[2];
  double d;
  bool b;
};
#define SQ(x) ((x) * (x))
#define SWAP(a, b)                                                                                 \
  do {                                                                                             \
    int t_ = (a);                                                                                  \
    (a) = (b);                                                                                     \
    (b) = t_;                                                                                      \
  } while (0)
void vla(int n, float a[n][n], float b[restrict static n], float (*c)[n + 1]) {
  float tmp[n];
  for (int i = 0; i < n; i++) {
    tmp[i] = b[i];
    a[i][i] = tmp[i];
    c[i][n] = a[i][0];
  }
}
void structs(struct outer *o, struct outer v, const struct inner *in) {
  struct outer l = {.d = 1, .in = {{{1, 2}}, {.k = 3}}};
  *o = v;
  o->in[1] = *in;
  o->in[0].w[2] += l.in[1].w[0];
  l = *o;
  o[1] = l;
  v.d = 2;
  o->d = v.d;
  struct inner *p = &o->in[1];
  p->k++;
  (*p).w[0] = (struct inner){.w = {5}}.w[0];
}
struct inner make(int k) {
  struct inner r = {{0}, k};
  return r;
}
int use_make(int k) { return make(k).k + make(2).w[1]; }
int ptrs(int *a, int n) {
  int *p = a + n, **pp = &p;
  *--p = 3;
  p -= 2;
  (*pp)++;
  if (!a || p == a)
    return 0;
  for (const int *q = a, *e = a + n; q < e; q += 2)
    n += *q;
  return (int)(p - a) + n + *(2 + a) + 1 [a];
}
double cmath(double x, float y) {
  return sqrt(x) + sinf(y) + fabs(x) + abs(-3) + fmaxf(y, 1) + pow(x, y) + isnan(x) +
         (isinf(y) != 0) + M_PI + HUGE_VAL + NAN + signbit(x) + lrint(x) + nearbyint(x) +
         nextafter(x, 1);
}
int macros(int *a) {
  SWAP(a[0], a[1]);
  return SQ(a[0]);
}
static const uint8_t sbox[16] = {3, 1, 4, 1, 5};
static const struct {
  int a, b;
} pairs[2] = {{1, 2}, {3, 4}};
int tables(int i) {
  static const double w[2][2] = {{1, 2}, {3, 4}};
  const int n = 5;
  return sbox[i] + pairs[i].b + (int)w[1][i] + n + "xyz"[i];
}
bool logic(bool a, char c, _Bool *b) {
  b[0] = c;
  b[1]++;
  b[1]--;
  return a && c ? b[0] : b[1] || !c;
}
unsigned char chars(signed char s, unsigned char u, short h) {
  s <<= 1;
  u += s;
  h *= u;
  u = ~u;
  return u ^ h >> 2;
}
int dup(int x, int *a) {
  while (x-- > 0) {
    switch (x & 3) {
    case 0:
      a[0]++; /* fall through */
    case 1:
      a[1]++;
      if (a[1] > 3)
        break;
    case 2:
      a[2]++;
      continue;
    default:
      return a[2];
    }
    a[3]++;
  }
  return 0;
}

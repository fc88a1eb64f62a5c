// subset: Statements: a loop whose test gives a carried value a uniform one
// languages: c c++
// class: A
// arrays: a u32 16; b u32 16; return u32 1
// scalars: n s32 7
// call: *result = uniform_in_body(a, b, n)
// RUN: %run-construct
//
// What a carried value is before that is varying, or not set; in the body and after the loop it is
// uniform, and so is what is made of it there.
#include <colonnade/annotate.h>

#include <stdint.h>

static uint32_t not_set(const uint32_t a[16], const uint32_t b[16], int n) {
  int k = 0, i = 0, m;
  while ((m = n - i) > 0 && (i += 1))
    k = k + m;
  return b[k & 7] + a[0];
}

static uint32_t varying_before(const uint32_t a[16], const uint32_t b[16], int n) {
  int k = 0, i = 0, m = (int)(a[1] & 255);
  while ((m = n - i) > 0 && (i += 1))
    k = k + m;
  return b[k & 7] + a[0] + b[m & 7];
}

static uint32_t varying_behind(const uint32_t a[16], const uint32_t b[16], int n) {
  uint32_t s = 0;
  int i = 0, m = (int)(a[1] & 255);
  while ((m = n - i) > 0 && (i += 1)) {
    const int q = m;
    m = (int)(a[i & 15] & 255);
    s += b[q & 15] * (uint32_t)m;
  }
  return s + (uint32_t)m;
}

static uint32_t nested(const uint32_t a[16], const uint32_t b[16], int n) {
  uint32_t s = 0;
  int k = 0, m;
  for (int j = 0; j < 3; j++) {
    int i = 0;
    m = (int)(a[j] & 255);
    while ((m = n - i) > 0 && (i += 1))
      s += b[m & 15];
    k += m;
  }
  return s + b[k & 7];
}

COLONNADE_BULK
uint32_t uniform_in_body(const uint32_t a[16], const uint32_t b[16], int n) {
  return not_set(a, b, n) + 3 * varying_before(a, b, n) + 5 * varying_behind(a, b, n) +
         7 * nested(a, b, n);
}

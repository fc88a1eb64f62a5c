// subset: Expressions: sums that use the whole range of their type
// languages: c c++
// class: A
// arrays: a s32 8; b s64 8
// scalars: n s32 8; m s64 2300000000000000000
// call: sums_over_the_range(a, b, n, m)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void sums_over_the_range(int32_t a[8], int64_t b[8], int n, int64_t m) {
  int s = -2000000000;
  for (int i = 0; i < 8; i++) {
    if (s >= 0)
      a[i] &= 1023;
    else
      a[i] |= 1;
    s += 500000000;
  }
  int t = -2147483647 - 1;
  for (int i = 0; i < n && i < 8; i++) {
    a[i] ^= t;
    t += 536870911;
  }
  int64_t u = INT64_MIN;
  for (int i = 0; i < 8; i++) {
    b[i] ^= u >> 40;
    u += m;
  }
}

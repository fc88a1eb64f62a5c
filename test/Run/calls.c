// subset: Functions: calls of visible functions, with pointers and by value
// languages: c c++
// class: P
// arrays: a s32 8
// scalars: n s32 8
// call: calls(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

static int32_t clamp(int32_t x, int32_t low, int32_t high) {
  if (x < low)
    return low;
  if (x > high)
    return high;
  return x;
}

static void rotate(int32_t *p, int n) {
  int32_t first = p[0];
  for (int i = 1; i < n; i++)
    p[i - 1] = p[i];
  p[n - 1] = first;
}

COLONNADE_BULK
void calls(int32_t *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    a[i] = clamp(a[i], -100, i);
  rotate(a + 1, n - 1);
  rotate(a, 3);
}

// subset: Functions: recursion bounded by uniform arguments
// languages: c c++
// class: A
// arrays: a f32 8
// scalars: n s32 8
// call: recursion(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

static void halves(float *p, int n) {
  if (n < 2)
    return;
  int half = n / 2;
  halves(p, half);
  halves(p + half, half);
  for (int i = 0; i < half; i++) {
    float a = p[i], b = p[i + half];
    p[i] = a + b;
    p[i + half] = a - b;
  }
}

COLONNADE_BULK
void recursion(float *a COLONNADE_EXTENT(8), int n) {
  (void)n;
  halves(a, 8);
}

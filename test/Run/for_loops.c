// subset: Statements: `for` upwards, downwards, in steps, nested and triangular
// languages: c c++
// class: A
// arrays: a f32 16
// scalars: n s32 4
// call: for_loops(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

COLONNADE_BULK
void for_loops(float *a COLONNADE_EXTENT(n * n), int n) {
  for (int i = n - 1; i >= 0; --i)
    for (int j = 0; j <= i; j++)
      a[i * n + j] += a[j * n + i];
  for (unsigned i = 0; i < 16; i += 3)
    a[i] *= 2;
  for (int size = 1; size < n; size *= 2)
    a[size] = -a[size];
}

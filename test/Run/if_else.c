// subset: Statements: `if` and `else` on data and on uniform values
// languages: c c++
// class: P
// arrays: a s32 8
// scalars: n s32 8; mode s32 2
// call: if_else(a, n, mode)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void if_else(int32_t *a COLONNADE_EXTENT(n), int n, int mode) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      a[i] = ~a[i];
    else if (a[i] > 100)
      a[i] = 100;
    else
      a[i]++;
    if (mode == 1)
      a[i] = 0;
    else
      a[i] ^= mode;
  }
}

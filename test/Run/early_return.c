// subset: Statements: early `return` on data, from within loops
// languages: c c++
// class: P
// arrays: a s32 8; return s32 1
// scalars: n s32 8
// call: *result = early_return(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
int early_return(int32_t *a COLONNADE_EXTENT(n), int n) {
  if (a[0] == -1)
    return 0;
  for (int i = 0; i < n; i++) {
    if (a[i] > 120)
      return i;
    a[i] |= 1;
  }
  return -1;
}

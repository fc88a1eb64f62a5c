// subset: Statements: `continue` on data
// languages: c c++
// class: P
// arrays: a s32 8
// scalars: n s32 8
// call: continue_statement(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void continue_statement(int32_t *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] & 1)
      continue;
    a[i] ^= i;
  }
  int i = 0;
  while (i < n) {
    i++;
    if (a[i - 1] < 0)
      continue;
    a[i - 1] /= 2;
  }
}

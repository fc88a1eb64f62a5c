// subset: Statements: `break` on data and on uniform values
// languages: c c++
// class: P
// arrays: a s32 8
// scalars: n s32 8
// call: break_statement(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void break_statement(int32_t *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++) {
    if (i == 6)
      break;
    for (int j = 0; j < n; j++) {
      if (a[j] > 150)
        break;
      a[j]++;
    }
    if (a[i] < -3)
      break;
    a[i] ^= 5;
  }
}

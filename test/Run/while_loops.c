// subset: Statements: `while` and `do` with uniform trip counts
// languages: c c++
// class: A
// arrays: a s32 8
// scalars: n s32 8
// call: while_loops(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void while_loops(int32_t *a COLONNADE_EXTENT(n), int n) {
  int i = 0;
  while (i < n) {
    a[i] >>= 1;
    i += 2;
  }
  do {
    --i;
    a[i] ^= i;
  } while (i > 0);
}

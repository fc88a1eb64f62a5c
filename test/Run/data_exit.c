// subset: Statements: a loop that data may end before its uniform bound
// languages: c c++
// class: P
// arrays: a u32 8; return s32 1
// scalars: n s32 8
// call: *result = data_exit(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
int data_exit(const uint32_t *a COLONNADE_EXTENT(n), int n) {
  uint32_t x = a[0];
  int rounds = 0;
  for (int i = 0; i < 40 && x != 1; i++) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    rounds++;
  }
  while (n-- > 0)
    rounds += a[n] & 1;
  return rounds;
}

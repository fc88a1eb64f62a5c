// subset: Facts: an assumption that a run checks (`COLONNADE_ASSUME`)
// languages: c c++
// class: A
// arrays: a u8 4; return s32 1
// scalars: n s32 4
// call: *result = assumption(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
int assumption(const uint8_t *a COLONNADE_EXTENT(4), int n) {
  COLONNADE_ASSUME(n <= 4);
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

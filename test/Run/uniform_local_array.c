// subset: Locals: a local array with uniform contents used as indices
// languages: c c++
// class: A
// arrays: a u8 8
// scalars: n s32 8
// call: uniform_local_array(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void uniform_local_array(uint8_t *a COLONNADE_EXTENT(n), int n) {
  int order[4];
  for (int i = 0; i < 4; i++)
    order[i] = (3 * i + 1) % 4;
  for (int i = 0; i < 4; i++)
    a[order[i]] ^= a[4 + i];
}

// subset: Copies: `memcpy`, `memset`, `memmove` of whole cells with uniform sizes
// languages: c c++
// class: A
// arrays: a u16 8; b u16 8
// scalars: n s32 8
// call: memory_functions(a, b, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>
#include <string.h>

COLONNADE_BULK
void memory_functions(uint16_t *a COLONNADE_EXTENT(n), uint16_t *b COLONNADE_EXTENT(n), int n) {
  uint16_t local[8];
  memcpy(local, a, (size_t)n * sizeof *a);
  memmove(a + 1, a, (size_t)(n - 1) * sizeof *a);
  memset(b, 0, 3 * sizeof *b);
  memset(&b[4], 0xff, sizeof b[4]);
  b[3] = local[7];
}

// subset: Pointers: arithmetic, `*p++`, negative subscripts, comparison with an end, difference
// languages: c c++
// class: A
// arrays: a s32 8; out s32 8
// scalars: n s32 8
// call: pointer_arithmetic(a, out, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void pointer_arithmetic(const int32_t *a COLONNADE_EXTENT(n), int32_t *out COLONNADE_EXTENT(n), int n) {
  const int32_t *end = a + n;
  int32_t *to = out;
  for (const int32_t *p = a; p != end; ++p)
    *to++ = *p >> 1;
  to -= 2;
  to[1] = (int32_t)(to - out);
  *(to - 1) = to[-2];
}

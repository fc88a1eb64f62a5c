// subset: Expressions: `&&`, `||`, `!`, with side effects on the right
// languages: c c++
// class: P
// arrays: a s32 8; b s32 8
// call: short_circuit(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void short_circuit(int32_t a[8], int32_t b[8]) {
  for (int i = 0; i < 8; i++) {
    int hits = 0;
    if (a[i] > 0 && b[i] > 0 && ++hits)
      a[i] = 0;
    if (!(a[i] < 0) || (b[i] = 3) < hits)
      b[i] ^= hits;
  }
}

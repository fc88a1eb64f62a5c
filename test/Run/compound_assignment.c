// subset: Expressions: compound assignments, also with conversion
// languages: c c++
// class: A
// arrays: a u8 8; b s32 8; c f32 8
// call: compound_assignment(a, b, c)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void compound_assignment(uint8_t a[8], int32_t b[8], float c[8]) {
  for (int i = 0; i < 8; i++) {
    a[i] += 200;
    a[i] *= 3;
    a[i] <<= 1;
    a[i] %= 50;
    b[i] >>= 3;
    b[i] |= 1;
    b[i] &= ~(uint32_t)6;
    b[i] ^= a[i];
    b[i] -= i;
    b[i] /= 5;
    c[i] *= 1.5;
    c[i] -= a[i];
  }
}

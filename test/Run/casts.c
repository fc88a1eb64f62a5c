// subset: Expressions: C casts between all scalar types
// languages: c c++
// class: A
// arrays: a s64 6; b f64 6; c u8 6
// call: casts(a, b, c)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void casts(int64_t a[6], double b[6], uint8_t c[6]) {
  for (int i = 0; i < 6; i++) {
    b[i] = (float)a[i] + (double)(uint32_t)a[i];
    a[i] = (int8_t)a[i] + (uint16_t)(a[i] >> 8) + (int)((float)c[i] / 3);
    c[i] = (uint8_t)(int16_t)(c[i] * 300);
  }
}

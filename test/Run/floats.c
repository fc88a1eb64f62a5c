// subset: Types: `float` and `double`, mixed arithmetic, conversions to and from integers
// languages: c c++
// class: A
// arrays: a f32 6; b f64 6; k s16 6
// call: floats(a, b, k)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void floats(float a[6], double b[6], int16_t k[6]) {
  for (int i = 0; i < 6; i++) {
    a[i] = a[i] * 0.5f + k[i];
    b[i] = b[i] / 3 - a[i];
    a[i] = b[i];
    k[i] = (int16_t)((float)k[i] * 0.25f);
  }
}

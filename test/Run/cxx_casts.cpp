// subset: Expressions: `static_cast`, functional casts
// class: A
// arrays: a f32 6; b s16 6
// call: cxx_casts(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
void cxx_casts(float a[6], int16_t b[6]) {
  for (int i = 0; i < 6; i++) {
    a[i] = static_cast<float>(b[i]) + float(uint8_t(b[i]));
    b[i] = static_cast<int16_t>(b[i] + int(i));
  }
}

// subset: Parameters: scalars by value, the same for all instances
// languages: c c++
// class: A
// arrays: b f32 8
// scalars: n s32 8; scale f32 1.5; offset f64 -0.25; first u8 3
// call: scalars_by_value(b, n, scale, offset, first)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void scalars_by_value(float *b COLONNADE_EXTENT(n), int n, float scale, double offset, uint8_t first) {
  for (int i = first; i < n; i++)
    b[i] = (float)(b[i] * scale + offset);
}

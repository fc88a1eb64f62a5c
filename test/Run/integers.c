// subset: Types: signed and unsigned integers of 8 to 64 bits, with C's promotions
// languages: c c++
// class: A
// arrays: a s8 4; b u8 4; c s16 4; d u16 4; e s32 4; f u32 4; g s64 4; h u64 4
// call: integers(a, b, c, d, e, f, g, h)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void integers(int8_t a[4], uint8_t b[4], int16_t c[4], uint16_t d[4], int32_t e[4], uint32_t f[4],
              int64_t g[4], uint64_t h[4]) {
  for (int i = 0; i < 4; i++) {
    c[i] = a[i] * b[i];
    a[i] = a[i] + b[i];
    b[i] -= 200;
    e[i] = c[i] - d[i];
    g[i] = (int64_t)f[i] - e[i];
    f[i] = f[i] * 2654435761u + d[i];
    h[i] = h[i] * 6364136223846793005u + f[i];
  }
}

// subset: Copies: `memcmp` against zero: the order of bytes, equality of any cells
// languages: c c++
// class: P
// arrays: a u8 8 0..1; b u8 8 0..1; c s32 4 0..1; d s32 4 0..1; x f32 2; out s32 8
// scalars: n s32 8
// call: memory_compare(a, b, c, d, x, out, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>
#include <string.h>

COLONNADE_BULK
void memory_compare(const uint8_t *a COLONNADE_EXTENT(n), const uint8_t *b COLONNADE_EXTENT(n),
                    const int32_t c[4], const int32_t d[4], const float x[2], int32_t out[8],
                    int n) {
  out[0] = memcmp(a, b, (size_t)n) == 0;
  out[1] = memcmp(a, b, (size_t)n) < 0;
  out[2] = memcmp(a, b, 3) > 0 ? 7 : 9;
  out[3] = !memcmp(a + 1, b + 1, 2);
  out[4] = 0 != memcmp(c, d, 4 * sizeof *c);
  out[5] = memcmp(c, d, sizeof c[0]) && memcmp(&c[1], &d[1], sizeof c[0]) ? 1 : 0;
  const int equal = (memcmp(&x[0], &x[1], sizeof x[0])) == 0;
  out[6] = equal;
  out[7] = memcmp(a, b, 0) != 0;
}

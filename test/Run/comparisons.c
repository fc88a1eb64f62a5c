// subset: Expressions: comparisons, also of NaN and of mixed signedness
// languages: c c++
// class: A
// arrays: a f32 6; b s32 6; c u32 6; out u8 6
// call: comparisons(a, b, c, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void comparisons(const float a[6], const int32_t b[6], const uint32_t c[6], uint8_t out[6]) {
  for (int i = 0; i < 6; i++) {
    int j = 5 - i;
    out[i] = (uint8_t)((a[i] < a[j]) + 2 * (a[i] >= a[j]) + 4 * (a[i] == a[i]) + 8 * (a[i] != a[j]));
    out[i] += (uint8_t)(16 * (b[i] < c[i]) + 32 * (b[i] <= b[j]) + 64 * (c[i] > c[j]));
  }
}

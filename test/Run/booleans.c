// subset: Types: `bool` cells, conversion from numbers, comparisons as values
// languages: c c++
// class: A
// arrays: b bool 6; x s32 6
// call: booleans(b, x)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdbool.h>
#include <stdint.h>

COLONNADE_BULK
void booleans(bool b[6], int32_t x[6]) {
  for (int i = 0; i < 6; i++) {
    bool positive = x[i] > 0;
    x[i] = positive + 2 * b[i];
    b[i] = x[i];
    b[i] ^= positive;
  }
}

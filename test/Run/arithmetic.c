// subset: Expressions: `+ - * / %`, unary minus, on every signedness
// languages: c c++
// class: A
// arrays: a s32 8; b u32 8; c f64 8
// call: arithmetic(a, b, c)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void arithmetic(int32_t a[8], uint32_t b[8], double c[8]) {
  for (int i = 0; i < 8; i++) {
    int32_t small = a[i] % 1000;
    a[i] = small * small - small / 7 + -small % 5;
    b[i] = b[i] / (b[(i + 1) % 8] | 1) + b[i] % 10 * 3 - 1;
    c[i] = -c[i] * c[i] / 3.0 - small;
  }
}

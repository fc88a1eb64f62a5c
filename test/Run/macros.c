// subset: Source: macros, also with several statements
// languages: c c++
// class: A
// arrays: a u32 8
// call: macros(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

#define ROTATE(x, k) (((x) << (k)) | ((x) >> (32 - (k))))
#define QUARTER(a, b, c, d)                                                                        \
  do {                                                                                             \
    a += b;                                                                                        \
    d = ROTATE(d ^ a, 16);                                                                         \
    c += d;                                                                                        \
    b = ROTATE(b ^ c, 12);                                                                         \
  } while (0)

COLONNADE_BULK
void macros(uint32_t a[8]) {
  QUARTER(a[0], a[1], a[2], a[3]);
  QUARTER(a[4], a[5], a[6], a[7]);
}

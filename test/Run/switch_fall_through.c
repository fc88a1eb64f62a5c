// subset: Statements: `switch` on data, with fall-through and `default`
// languages: c c++
// class: P
// arrays: a u8 8
// call: switch_fall_through(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void switch_fall_through(uint8_t a[8]) {
  for (int i = 0; i < 8; i++) {
    int bits = 0;
    switch (a[i] % 6) {
    case 4:
      bits += 4;
    case 3:
      bits += 3;
      break;
    case 0:
    case 1:
      bits = 100;
      break;
    default:
      bits -= 1;
    case 5:
      bits -= 5;
    }
    a[i] = (uint8_t)bits;
  }
}

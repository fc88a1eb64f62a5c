// subset: Types: enumerations in C
// class: P
// arrays: x u8 6
// call: enumeration_c(x)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

enum colour { red, green = 4, blue };

COLONNADE_BULK
void enumeration_c(uint8_t x[6]) {
  for (int i = 0; i < 6; i++) {
    enum colour c = x[i] & 1 ? green : blue;
    if (c == blue)
      x[i] = (uint8_t)(c + red);
  }
}

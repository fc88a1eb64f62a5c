// subset: Statements: `switch` whose body is no block
// languages: c c++
// class: P
// arrays: a u8 8
// call: switch_without_block(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void switch_without_block(uint8_t a[8]) {
  int left = 0;
  for (int i = 0; i < 8; i++) {
    switch (a[i] & 3)
    case 1:
      continue;
    switch (a[i] & 7)
    case 0:
    case 2:
      left += a[i];
    switch (a[i] & 1)
    default:
      left++;
    switch (a[i] & 6)
    case 4:
      for (int k = 0; k < 3; k++) {
        if (k == 2)
          break;
        left += k;
      }
    a[i] = (uint8_t)left;
  }
}

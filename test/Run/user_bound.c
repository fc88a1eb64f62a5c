// subset: Facts: a bound on a loop that data ends (`COLONNADE_BOUND`)
// languages: c c++
// class: P
// arrays: a u32 4; return u32 1
// call: *result = user_bound(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
uint32_t user_bound(const uint32_t a[4]) {
  uint32_t x = a[0] | 1, y = a[1], rounds = 0;
  while (y != 0) {
    COLONNADE_BOUND(64);
    uint32_t t = x % y;
    x = y;
    y = t;
    rounds++;
  }
  return x + rounds;
}

// subset: Functions: out-parameters by reference and by pointer
// class: A
// arrays: a u32 8
// call: out_parameters(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

static void split(uint32_t x, uint32_t &high, uint32_t *low) {
  high = x >> 16;
  *low = x & 0xffff;
}

COLONNADE_BULK
void out_parameters(uint32_t a[8]) {
  uint32_t high;
  for (int i = 0; i < 4; i++) {
    split(a[i], high, &a[7 - i]);
    a[i] = high;
  }
}

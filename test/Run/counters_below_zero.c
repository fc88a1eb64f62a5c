// subset: Statements: loops whose unsigned counter steps below zero and goes on from the largest number
// languages: c c++
// class: A
// arrays: a u8 8; o u32 8
// scalars: k u64 18446744073709551596
// call: counters_below_zero(a, o, k)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void counters_below_zero(const uint8_t a[8], uint32_t o[8], uint64_t k) {
  for (uint64_t i = 10; i >= 1; i -= 3) {
    if (i == k)
      break;
    o[i & 7] = (a[i & 7] + (uint32_t)i) / 7u;
  }
}

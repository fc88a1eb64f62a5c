// subset: Statements: `for` over an array
// class: A
// arrays: a u16 5; return u32 1
// call: *result = range_for(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
uint32_t range_for(const uint16_t a[5]) {
  uint32_t copy[5];
  for (int i = 0; i < 5; i++)
    copy[i] = a[i];
  uint32_t sum = 0;
  for (uint32_t &x : copy)
    x *= x;
  for (uint32_t x : copy)
    sum = sum * 31 + x;
  return sum;
}

// subset: Parameters: a return value, an output named `return`
// languages: c c++
// class: A
// arrays: b u32 8; return u32 1
// scalars: n s32 8
// call: *result = return_value(b, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
uint32_t return_value(const uint32_t *b COLONNADE_EXTENT(n), int n) {
  uint32_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += b[i];
  return sum;
}

// subset: Parameters: references to scalars and to arrays
// class: A
// arrays: sum s64 1; v s32 5
// call: references(*sum, *(int32_t (*)[5])v)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
void references(int64_t &sum, const int32_t (&v)[5]) {
  sum = 0;
  for (int32_t x : v)
    sum += x;
}

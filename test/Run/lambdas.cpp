// subset: Functions: lambdas that do not escape, with captures by value and by reference
// class: P
// arrays: a s32 8
// scalars: n s32 8
// call: lambdas(a, n)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
void lambdas(int32_t *a COLONNADE_EXTENT(n), int n) {
  int32_t changed = 0;
  const int32_t limit = n * 10;
  auto clip = [&changed, limit](int32_t x) {
    if (x <= limit)
      return x;
    changed++;
    return limit;
  };
  for (int i = 0; i < n - 1; i++)
    a[i] = clip(a[i]);
  a[n - 1] = changed;
}

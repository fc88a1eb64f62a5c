// subset: Pointers: `auto`, `const` views and references to cells
// class: A
// arrays: a s32 6
// call: static_cast_pointer(a)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
void static_cast_pointer(int32_t a[6]) {
  auto *p = a;
  const int32_t *view = p + 3;
  for (int i = 0; i < 3; i++) {
    auto &cell = p[i];
    cell ^= view[i];
  }
}

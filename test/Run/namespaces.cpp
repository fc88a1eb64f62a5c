// subset: Source: namespaces and overloads
// entry: inner::namespaces
// class: A
// arrays: a s32 4; b f32 4
// call: inner::namespaces(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

namespace inner {
static int32_t half(int32_t x) { return x / 2; }
static float half(float x) { return x * 0.5f; }

COLONNADE_BULK
void namespaces(int32_t a[4], float b[4]) {
  for (int i = 0; i < 4; i++) {
    a[i] = half(a[i]);
    b[i] = half(b[i]);
  }
}
} // namespace inner

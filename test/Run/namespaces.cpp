// subset: Source: namespaces and overloads
// class: A
// arrays: a s32 4; b f32 4
// call: namespaces(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

namespace inner {
static int32_t half(int32_t x) { return x / 2; }
static float half(float x) { return x * 0.5f; }
} // namespace inner

COLONNADE_BULK
void namespaces(int32_t a[4], float b[4]) {
  using namespace inner;
  for (int i = 0; i < 4; i++) {
    a[i] = inner::half(a[i]);
    b[i] = half(b[i]);
  }
}

// subset: Library: `std::min`, `std::max`, `std::swap`, `std::abs`
// class: P
// arrays: a s32 8; b f32 8
// call: std_algorithms(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

COLONNADE_BULK
void std_algorithms(int32_t a[8], float b[8]) {
  for (int i = 0; i < 4; i++) {
    std::swap(a[i], a[7 - i]);
    a[i] = std::min(a[i], 100) + std::abs(a[7 - i] % 1000);
    b[i] = std::max(b[i], b[7 - i]);
    b[7 - i] = std::abs(b[7 - i]);
  }
}

// subset: Types: local arrays of `bool`, written under conditions on data of any width
// languages: c++
// class: P
// arrays: x s64 6 -1000..1000; y s32 6; c u8 6
// call: local_flags(x, y, c)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
void local_flags(std::int64_t x[6], std::int32_t y[6], std::uint8_t c[6]) {
  bool seen[3] = {false, false, false};
  for (int i = 0; i < 6; i++) {
    if (y[i] > 0)
      seen[i % 3] = x[i] > 100;
    if (c[i] > 7) {
      for (bool &flag : seen)
        flag = false;
    }
    x[i] += seen[0] + 2 * seen[1] + 4 * seen[2];
  }
}

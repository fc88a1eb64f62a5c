// subset: Parameters: scalars by value that differ between instances (`COLONNADE_INSTANCE`)
// languages: c c++
// class: P
// arrays: out s32 4; q s32 1; limit u8 1
// call: instance_scalars(out, *q, *limit)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void instance_scalars(int32_t out[4], COLONNADE_INSTANCE int32_t q, COLONNADE_INSTANCE uint8_t limit) {
  for (int i = 0; i < 4; i++) {
    if (i == 2)
      q = 7;
    out[i] = q / 3 > limit ? i : -i;
  }
}

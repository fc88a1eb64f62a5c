// subset: Library: `isnan`, `isinf`, `isfinite`, `isnormal`, `signbit`, `isless` and its kin
// languages: c c++
// class: A
// arrays: bits u64 8; out s32 8
// call: float_classes(bits, out)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
using namespace std;
#endif

static int classes(double x, double y) {
  const float s = (float)x;
  int r = (isnan(x) != 0) + 2 * (isinf(x) != 0) + 4 * (isfinite(x) != 0) + 8 * (isnormal(x) != 0);
  r += 16 * (signbit(x) != 0) + 32 * (isnormal(s) != 0) + 64 * (isinf(s) != 0);
  r += 128 * isless(x, y) + 256 * islessequal(x, y) + 512 * isgreater(x, y);
  r += 1024 * isgreaterequal(x, y) + 2048 * islessgreater(x, y) + 4096 * isunordered(x, y);
  return r;
}

COLONNADE_BULK
void float_classes(const uint64_t bits[8], int32_t out[8]) {
  for (int i = 0; i < 8; i++) {
    uint64_t b = bits[i];
    if (i & 1)
      b &= 0x800fffffffffffff;
    if (i & 2)
      b |= 0x7ff0000000000000;
    if (i & 4)
      b &= 0xfff0000000000000;
    double x, y;
    memcpy(&x, &b, sizeof x);
    memcpy(&y, &bits[7 - i], sizeof y);
    out[i] = classes(x, y);
  }
}

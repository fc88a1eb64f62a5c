// subset: Library: `ldexp`, `scalbn`, `frexp`, `modf`, `ilogb`, `fdim`, in double and float
// languages: c c++
// class: A
// arrays: bits u64 8; e s32 8; f f64 64; g f32 64; k s32 64
// call: float_parts(bits, e, f, g, k)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

static double number(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// Any number, a subnormal one, one near the largest, an integer, zero, infinity.
static void parts(const double x, int e, double *f, float *g, int *k) {
  f[0] = ldexp(x, e % 2300);
  f[1] = scalbn(x, e);
  f[2] = frexp(x, &k[0]);
  f[4] = modf(x, &f[3]);
  f[5] = fdim(x, f[2]);
  k[1] = ilogb(x);
  g[0] = ldexpf((float)x, e % 300);
  g[1] = frexpf((float)x, &k[2]);
  g[3] = modff((float)x, &g[2]);
  k[3] = ilogbf((float)x);
}

COLONNADE_BULK
void float_parts(const uint64_t bits[8], const int32_t e[8], double f[64], float g[64],
                 int32_t k[64]) {
  for (int i = 0; i < 8; i++)
    f[8 * i + 6] = f[8 * i + 7] = 0;
  for (int i = 0; i < 64; i++) {
    g[i] = 0;
    k[i] = 0;
  }
  const uint64_t sign = 0x8000000000000000, fraction = 0x000fffffffffffff;
  parts(number(bits[0]), e[0], &f[0], &g[0], &k[0]);
  parts(number(bits[1] & (sign | fraction)), e[1] % 100, &f[8], &g[8], &k[8]);
  parts(number((bits[2] & (sign | fraction)) | 0x7fe0000000000000), e[2] % 2200, &f[16], &g[16],
        &k[16]);
  parts((double)(int16_t)bits[3] / 4, e[3] % 200, &f[24], &g[24], &k[24]);
  parts(number(bits[4] & sign), e[4], &f[32], &g[32], &k[32]);
  parts(number((bits[5] & sign) | 0x7ff0000000000000), e[5], &f[40], &g[40], &k[40]);
  parts(number((bits[6] & (sign | fraction)) | 0x3ff0000000000000), -1060 - (e[6] & 31), &f[48],
        &g[48], &k[48]);
  parts(number((bits[7] & (sign | fraction)) | 0x3fe0000000000000), -140 + (e[7] & 31), &f[56],
        &g[56], &k[56]);
}

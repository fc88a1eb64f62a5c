// subset: Library: `std::lerp`
// class: A
// arrays: a f64 40; b f32 40; bits u64 24
// call: interpolation(a, b, bits)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cmath>
#include <cstdint>
#include <cstring>

static double number(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Of any bits (NaNs and infinities among them), at both ends, beyond them, and between numbers of
// one sign and of two.
COLONNADE_BULK
void interpolation(double a[40], float b[40], const uint64_t bits[24]) {
  for (int i = 0; i < 8; i++) {
    double x = number(bits[3 * i]), y = number(bits[3 * i + 1]);
    double t = (double)(int16_t)bits[3 * i + 2] / 8192;
    a[5 * i] = std::lerp(x, y, t);
    a[5 * i + 1] = std::lerp(x, y, 1.0);
    a[5 * i + 2] = std::lerp(x, -y, 0.0);
    a[5 * i + 3] = std::lerp((double)(int16_t)bits[3 * i], (double)(int16_t)bits[3 * i + 1], t);
    a[5 * i + 4] = std::lerp(x, x, number(bits[3 * i + 2]));
    b[5 * i] = std::lerp((float)x, (float)y, (float)t);
    b[5 * i + 1] = std::lerp((float)x, (float)y, 1.0f);
    b[5 * i + 2] = std::lerp((float)(int8_t)bits[3 * i], (float)(int8_t)bits[3 * i + 1], (float)t);
    b[5 * i + 3] = std::lerp(0.0f, (float)y, (float)t);
    b[5 * i + 4] = std::lerp((float)x, -0.0f, (float)t);
  }
}

// subset: Library: `<cmath>` with its overloads
// class: A
// arrays: a f32 8; b f64 8
// call: cmath_overloads(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <cmath>

COLONNADE_BULK
void cmath_overloads(float a[8], double b[8]) {
  for (int i = 0; i < 8; i++) {
    a[i] = std::sqrt(std::fabs(a[i])) + std::exp(-std::fabs(a[i])) + std::copysign(1.0f, float(i - 3));
    b[i] = std::hypot(b[i], 3.0) + std::cbrt(b[i]) + std::tanh(b[i]) + std::round(b[i]);
  }
}

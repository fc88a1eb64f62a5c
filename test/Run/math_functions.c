// subset: Library: `<math.h>`, exact functions and others
// languages: c c++
// class: A
// arrays: a f32 8; b f64 8
// call: math_functions(a, b)
// RUN: %run-construct
#include <colonnade/annotate.h>

#include <math.h>

COLONNADE_BULK
void math_functions(float a[8], double b[8]) {
  for (int i = 0; i < 8; i++) {
    double x = fabs(b[i]);
    b[i] = sqrt(x) + floor(b[i]) - ceil(b[i] / 2) + trunc(x) * rint(b[i]);
    b[i] = fma(b[i], x, 0.5) + sin(x) * exp(-x) + atan2(b[i], 2.0) + pow(x, 0.25) + log(x + 1);
    a[i] = sqrtf(fabsf(a[i])) + floorf(a[i]) + cosf(a[i]);
  }
}

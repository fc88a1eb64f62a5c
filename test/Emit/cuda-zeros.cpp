// A zero keeps its sign: `x < 0.0f ? x : 0.0f` is +0 where x is -0, and min.f32 is not, which
// nvcc takes for the same. Compiled, not only printed: what hides the comparison from nvcc 13
// must hide it from the next one.
// REQUIRES: nvcc
// RUN: rm -rf %t && %colonnade emit %s --target cuda -o %t -- %include
// RUN: FileCheck %s --input-file %t/least.bulk.cu --check-prefix TEXT
// RUN: %nvcc -std=c++17 -arch=sm_90 -ptx %include %t/least.bulk.cu -o %t/least.ptx
// RUN: FileCheck %s --input-file %t/least.ptx --check-prefix PTX --implicit-check-not=min.f \
// RUN:   --implicit-check-not=max.f
#include <colonnade/annotate.h>

// TEXT: a[{{.*}}] < as_compared(
// PTX: setp.{{[a-z]+}}.f32
// PTX: setp.{{[a-z]+}}.f64
COLONNADE_BULK
void least(const float a[4], float *below, const double *x, double *above) {
  float least = 0.0f;
  for (int i = 0; i < 4; ++i)
    if (a[i] < least)
      least = a[i];
  *below = least;
  *above = *x > -0.0 ? *x : -0.0;
}

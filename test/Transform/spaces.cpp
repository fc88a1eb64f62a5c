// Where each array lives, and why: part of the kernel, not of what prints it.
// RUN: %colonnade check %s -f prefix -f moved -f copied -f weighed --dump=kernel -- %include | FileCheck %s
// RUN: %colonnade check %s -f prefix --size n=8 --dump=kernel -- %include | FileCheck %s --check-prefix=SIZED
#include <colonnade/annotate.h>

// CHECK-LABEL: // cpu
// CHECK: func "prefix" kernel lanes 4
// CHECK: array @b : f32[n] parameter instance reads writes of b in memory
// CHECK-LABEL: // cuda
// CHECK: func "prefix" kernel threads 256
// CHECK: array @b : f32[n] parameter instance reads writes of b in memory
// CHECK: for %i{{.*}} unroll 8
//
// SIZED: func "prefix" kernel lanes 4
// SIZED: in memory
// SIZED-NOT: unroll
// SIZED: func "prefix" kernel threads 256
// SIZED: array @b : f32[8] parameter instance reads writes of b in registers loaded
// SIZED: note "b: 8 cells in registers, every subscript is known after unrolling"
// SIZED: for %i{{.*}} unroll fully
void prefix(float *b COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    b[i] += b[i - 1];
}

// The twin whose every cell is stored to: nothing need be loaded first.
// CHECK: func "moved" kernel threads 256
// CHECK-DAG: array @a : f32[8] {{.*}} in registers loaded
// CHECK-DAG: array @b : f32[8] {{.*}} in registers{{$}}
void moved(const float a[8], float b[8]) {
  for (int i = 0; i < 8; i++)
    b[i] = a[i];
}

// CHECK: func "copied" kernel lanes 4
// CHECK-DAG: array @small : f32[100] local {{.*}} in local
// CHECK-DAG: array @large : f32[5000] local {{.*}} in scratch
// CHECK: func "copied" kernel threads 256
// CHECK-DAG: array @small : f32[100] local {{.*}} in local
// CHECK-DAG: array @large : f32[5000] local {{.*}} in scratch
// CHECK: note "large: in scratch memory, too large for a thread or of unknown size"
void copied(float *b COLONNADE_EXTENT(n), int n) {
  float small[100], large[5000];
  for (int i = 0; i < n; i++) {
    small[i] = b[i];
    large[i] = b[i];
  }
  for (int i = 0; i < n; i++)
    b[i] = small[n - 1 - i] + large[n - 1 - i];
}

// CHECK: func "weighed" kernel lanes
// CHECK-DAG: array @scale : {{.*}} in uniform
// CHECK-DAG: array @weights : f64[4] table {{.*}} in constant
static const double weights[4] = {0.5, 0.25, 0.125, 1e-3};
void weighed(double *out COLONNADE_EXTENT(n), const double *scale COLONNADE_UNIFORM COLONNADE_EXTENT(4),
             int n) {
  for (int i = 0; i < n; i++)
    out[i] = out[i] * weights[i % 4] * scale[i % 4];
}

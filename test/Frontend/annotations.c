// RUN: %colonnade check %s --dump=raw -- %include | FileCheck %s
#include <colonnade/annotate.h>

#include <assert.h>

#define ROWS 4

// CHECK: func "annotated"
// CHECK: param a : ptr !{{[0-9]+}} count [n*4]
// CHECK: param t : ptr !{{[0-9]+}} count [n] const uniform
// CHECK: param x : f32 instance
// CHECK: assume "assert is compiled as under NDEBUG"
COLONNADE_BULK void annotated(float *a COLONNADE_EXTENT(n * ROWS),
                              const float *t COLONNADE_UNIFORM COLONNADE_EXTENT(n), int n,
                              float x COLONNADE_INSTANCE) {
  // CHECK: check %{{[0-9]+}} text "n > 0"
  COLONNADE_ASSUME(n > 0);
  assert(a[0] > 0);
  // CHECK: loop bound [n+1]
  while (a[0] > x) {
    COLONNADE_BOUND(n + 1);
    a[0] -= t[0];
  }
}

// CHECK-NOT: func "unmarked"
void unmarked(float *a) { a[0] = 1; }

// Loops without a counter, whose iterations nvcc would not find, stand as their iterations where
// subscripts depend on them; and the loops around them.
// RUN: %colonnade check %s -f butterflies -f until_negative -f until_found -f counted --dump=kernel -- %include | FileCheck %s
#include <colonnade/annotate.h>

// Six passes for `step`, of 4, 2 and 1 blocks: no loop tests, and every subscript is a constant.
// CHECK-LABEL: func "butterflies" kernel threads 256
// CHECK: array @a : f32[8] {{.*}} in registers
// CHECK-NOT: loop
// CHECK: for {{.*}} unroll fully
// CHECK: for {{.*}} unroll fully
// CHECK-NOT: loop
// CHECK: return
void butterflies(float a[8]) {
  int step = 4;
  while (step > 0) {
    for (int i = 0; i < 8; i += 2 * step)
      for (int k = i; k < i + step; ++k) {
        const float sum = a[k] + a[k + step];
        a[k + step] = a[k] - a[k + step];
        a[k] = sum;
      }
    step /= 2;
  }
}

// In a loop that data ends: that one stays, and the inner one's iterations do not depend on it.
// CHECK-LABEL: func "until_negative" kernel threads 256
// CHECK: for {{.*}} continue unroll fully
// CHECK-NOT: loop
// CHECK: return
void until_negative(float a[8]) {
  for (int i = 0; i < 2; ++i) {
    if (a[i] < 0)
      break;
    int step = 4;
    while (step > 0) {
      a[i + step] += 1;
      step /= 2;
    }
  }
}

// The twin whose inner iterations do: they stay, too.
// CHECK-LABEL: func "until_found" kernel threads 256
// CHECK: array @a : f32[8] {{.*}} in registers
// CHECK: loop {{.*}}unroll fully
// CHECK: return
void until_found(float a[8]) {
  for (int i = 0; i < 2; ++i) {
    if (a[i] < 0)
      break;
    int step = 4 >> i;
    while (step > 0) {
      a[i + step] += 1;
      step /= 2;
    }
  }
}

// The twin with a counter: the compiler unrolls it.
// CHECK-LABEL: func "counted" kernel threads 256
// CHECK: for {{.*}} unroll fully
// CHECK-NOT: for
// CHECK: return
void counted(float a[8]) {
  for (int i = 1; i < 8; ++i)
    a[i] += a[i - 1];
}

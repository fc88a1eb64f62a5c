// Types, operations and masks of lanes, as the kernel says them; threads keep the source's.
// RUN: %colonnade check %s -f blur -f widen -f whole -f relax --dump=kernel -- %include | FileCheck %s
#include <colonnade/annotate.h>

#include <cstdint>

// Nine bytes sum to at most 2295.
// CHECK: func "blur" kernel lanes 2
// CHECK: for %i{{.*}} : s32
// CHECK: for %k{{.*}} (%sum{{.*}} : varying s16 =
// CHECK: %{{.*}} = div.constant %sum{{.*}} : varying s16
// CHECK: func "blur" kernel threads 256
// CHECK: %sum{{.*}} : varying s32 =
// CHECK: div %sum
void blur(const uint8_t a[32], uint8_t b[32]) {
  for (int i = 0; i + 9 <= 32; i++) {
    int sum = 0;
    for (int k = 0; k < 9; k++)
      sum += a[i + k];
    b[i] = sum / 9;
  }
}

// CHECK: func "widen" kernel lanes
// CHECK: mul.lowhalves {{.*}} : varying u64
// CHECK: rem.constant {{.*}} : varying s32
// CHECK: func "widen" kernel threads
// CHECK-NOT: mul.lowhalves
void widen(const uint32_t *a COLONNADE_EXTENT(n), uint64_t *b COLONNADE_EXTENT(n),
           int *c COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++) {
    b[i] = (uint64_t)a[i] * a[i];
    c[i] = c[i] % 10;
  }
}

// CHECK: func "whole" kernel lanes 8
// CHECK-NOT: mul.lowhalves
// CHECK-NOT: div.constant
// CHECK: return
void whole(uint64_t *b COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    b[i] = b[i] * b[i] / 10;
}

// Cells that were just accessed: masked, without a jump.
// CHECK: func "relax" kernel lanes 4
// CHECK: %{{.*}} = lt {{.*}} : varying bool
// CHECK-NOT: any
// CHECK: store @d{{.*}} mask
// CHECK: func "relax" kernel threads
// CHECK: if %
void relax(float *d COLONNADE_EXTENT(n), int n) {
  for (int i = 1; i < n; i++)
    if (d[i - 1] < d[i])
      d[i] = d[i - 1];
}

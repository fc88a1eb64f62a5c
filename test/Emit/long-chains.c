// A chain of sums and their carries, as long integers have them: each value stands twice in the next.
// nvcc asks of a constant integer in a template what it is initialised with, and of that the same
// again: with `const` 60 carries took it minutes. The CUDA text has none there.
//
// RUN: %colonnade emit %s --target cuda -o %t
// RUN: FileCheck %s --input-file %t/square.bulk.cu
// RUN: %if nvcc %{ timeout 60 %nvcc -std=c++17 -arch=sm_90 -ptx %include %t/square.bulk.cu -o %t/square.ptx %}
#include <colonnade/annotate.h>
#include <stdint.h>

#define STEP(i, j) { uint64_t t = (uint64_t)a[i] * a[j]; uint32_t tl = (uint32_t)t, th = (uint32_t)(t >> 32); \
    c0 += tl; th += c0 < tl; c1 += th; c2 += c1 < th; }
#define NEXT(k) l[k] = c0; c0 = c1; c1 = c2; c2 = 0;

COLONNADE_BULK void square(const uint32_t a[8], uint32_t l[16]) {
  uint32_t c0 = 0, c1 = 0, c2 = 0;
  STEP(0, 0) NEXT(0)
  STEP(0, 1) STEP(1, 0) NEXT(1)
  STEP(0, 2) STEP(1, 1) STEP(2, 0) NEXT(2)
  STEP(0, 3) STEP(1, 2) STEP(2, 1) STEP(3, 0) NEXT(3)
  STEP(0, 4) STEP(1, 3) STEP(2, 2) STEP(3, 1) STEP(4, 0) NEXT(4)
  STEP(0, 5) STEP(1, 4) STEP(2, 3) STEP(3, 2) STEP(4, 1) STEP(5, 0) NEXT(5)
  STEP(0, 6) STEP(1, 5) STEP(2, 4) STEP(3, 3) STEP(4, 2) STEP(5, 1) STEP(6, 0) NEXT(6)
  STEP(0, 7) STEP(1, 6) STEP(2, 5) STEP(3, 4) STEP(4, 3) STEP(5, 2) STEP(6, 1) STEP(7, 0) NEXT(7)
  STEP(1, 7) STEP(2, 6) STEP(3, 5) STEP(4, 4) STEP(5, 3) STEP(6, 2) STEP(7, 1) NEXT(8)
  STEP(2, 7) STEP(3, 6) STEP(4, 5) STEP(5, 4) STEP(6, 3) STEP(7, 2) NEXT(9)
}

// CHECK: l_global
// CHECK-NOT: const uint32_t {{[a-z0-9_]+}} =
// CHECK: uint32_t tl
// CHECK-NOT: const uint{{32|64}}_t {{[a-z0-9_]+}} =
// CHECK: l_global.store

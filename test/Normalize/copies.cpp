// memcpy, memset and struct assignment become loops over cells.
//
// RUN: %colonnade check %s -f copies -f overlaps -f fills -f assigns --dump=ir | FileCheck %s
#include <cstring>

void copies(float *to, const float *from, int n) { std::memcpy(to, from, n * sizeof(float)); }
// CHECK-LABEL: func "copies"
// CHECK: for %{{.*}} : s64
// CHECK-NEXT: %[[X:[0-9]+]] = load @from
// CHECK-NEXT: store @to[%{{.*}}], %[[X]]

// Upwards or downwards, by where the target lies.
void overlaps(int *a) { std::memmove(a + 1, a, 3 * sizeof(int)); }
// CHECK-LABEL: func "overlaps"
// CHECK: for %{{.*}} : s64 = %{{[0-9]+}} ge %{{[0-9]+}} step

void fills(short *a, unsigned char byte) { std::memset(a, byte, 8 * sizeof(short)); }
// CHECK-LABEL: func "fills"
// CHECK: %[[ONES:[0-9]+]] = const 257 : u16
// CHECK: for
// CHECK: mul %{{.*}}, %[[ONES]] : u16
// CHECK: store @a

struct V {
  float x, y[3];
};
void assigns(V *a, int n) { a[n] = a[0]; }
// CHECK-LABEL: func "assigns"
// CHECK: load @a.x
// CHECK: store @a.x
// CHECK: for
// CHECK: load @a.y
// CHECK: store @a.y

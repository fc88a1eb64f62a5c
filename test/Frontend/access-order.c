// Accesses appear in the order in which clang -O0 performs them: the right side
// of an assignment before its left, a compound assignment reads its place last.
// RUN: %colonnade check %s -f order --dump=raw | FileCheck %s

// CHECK-LABEL: func "order"
void order(int *a, int *b, int *c) {
  // CHECK: %[[B:.*]] = ptr.load %b#{{[0-9]+}} mem !{{[0-9]+}} : ptr
  // CHECK: %[[X:.*]] = ptr.load
  // CHECK: %[[A:.*]] = ptr.load %a#{{[0-9]+}} mem !{{[0-9]+}} : ptr
  // CHECK: ptr.store
  a[0] = b[0];
  // CHECK: ptr.load %c#
  // CHECK: ptr.load %a#
  // CHECK: %[[OLD:[0-9]+]] = ptr.load
  // CHECK: add %[[OLD]],
  // CHECK: ptr.store
  a[1] += c[1];
  // CHECK: ptr.load %b#
  // CHECK: ptr.load %c#
  // CHECK: mul
  // CHECK: ptr.load %a#
  // CHECK: ptr.store
  a[2] = b[2] * c[2];
}

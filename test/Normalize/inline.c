// Calls disappear; the call path stays on the locations; a recursion ends where
// a condition on constant arguments is decided.
//
// RUN: %colonnade check %s -f caller --dump=ir | FileCheck %s
// RUN: %colonnade check %s -f halves --dump=ir | FileCheck %s --check-prefix=HALVES
// RUN: not %colonnade check %s -f unknown_depth 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: %colonnade check %s -f unknown_depth --size n=5 --dump=ir | FileCheck %s --check-prefix=SIZED
// RUN: not %colonnade check %s -f invisible 2>&1 | FileCheck %s --check-prefix=INVISIBLE

static void add(float *to, float x) { *to += x; }
static void twice(float *to, float x) {
  add(to, x);
  add(to + 1, x);
}
void caller(float *a) { twice(a, 2.0f); }
// CHECK-LABEL: func "caller"
// CHECK-NOT: callee
// CHECK: load @a[%{{[0-9]+}}] access 0
// CHECK: store @a[%{{[0-9]+}}], %{{[0-9]+}} access 1
// CHECK: load @a[%{{[0-9]+}}] access 2
// CHECK: store @a[%{{[0-9]+}}], %{{[0-9]+}} access 3

static float sum(const float *a, int n) {
  return n == 1 ? a[0] : sum(a, n / 2) + sum(a + n / 2, n - n / 2);
}
void halves(float *a, float *b) { b[0] = sum(a, 4); }
// HALVES-LABEL: func "halves"
// HALVES-NOT: if
// HALVES-COUNT-4: load @a
// HALVES-NOT: load
// HALVES: store @b

static int triangle(int n) { return n <= 0 ? 0 : n + triangle(n - 1); }
void unknown_depth(int *a, int n) { a[0] = triangle(n); }
// DEPTH: recursion of 'triangle' whose depth is not known at compile time: write it as a loop where memory decides the depth, or give its size, such as --size n=8
// DEPTH: unknown_depth: unsupported, class U
// SIZED: %[[R:[0-9]+]] = const 15 : s32
// SIZED: store @a[%{{[0-9]+}}], %[[R]]

void elsewhere(float *a);
void invisible(float *a) { elsewhere(a); }
// INVISIBLE: 'elsewhere'
// INVISIBLE: invisible: unsupported, class U

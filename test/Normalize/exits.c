// What a loop carries into its next iteration does not depend on whether there is one.
//
// RUN: %colonnade check %s -f filled -f doubled --dump=ir | FileCheck %s
// RUN: %colonnade check %s -f filled -f doubled 2>&1 | FileCheck %s --check-prefix=ACCEPT
// RUN: not %colonnade check %s -f used_after 2>&1 | FileCheck %s --check-prefix=REJECT
// RUN: %colonnade check %s -f once --dump=ir | FileCheck %s --check-prefix=ONCE

int filled(const int *a, int *out, int n) {
  int *p = out;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    *p++ = a[i];
  }
  return p - out;
}
// The address is a function of the counter; the value after the loop is carried.
// CHECK-LABEL: func "filled"
// CHECK: for %i#{{[0-9]+}} {{.*}} continue (%p#{{[0-9]+}} : s64 = %{{[0-9]+}}) {
// CHECK: %[[AT:.*]] = cast %i#{{[0-9]+}} : s64
// CHECK: store @out[%[[AT]]]
// ACCEPT: filled: accept, class P

void doubled(const int *a, int *out, int n) {
  int k = 1;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    out[k] = a[i];
    k = 2 * k + 1;
  }
}
// CHECK-LABEL: func "doubled"
// CHECK: for {{.*}} continue (%[[K:k#[0-9]+]] : s32
// CHECK: mul {{.*}} speculative
// ACCEPT: doubled: accept, class P

void used_after(const int *a, int *out, int n) {
  int *p = out;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    *p++ = a[i];
  }
  *p = 0;
}
// REJECT: used_after: reject, class N

// A break that ends each iteration: the loop is an if, whatever decides whether it is entered.
// ONCE-NOT: loop
// ONCE: if %
// ONCE: store @a
void once(int *a) {
  while (a[0] > 3) {
    a[1] = 2;
    break;
  }
}

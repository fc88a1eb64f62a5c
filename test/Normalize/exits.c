// What a loop carries into its next round does not depend on whether there is one.
//
// RUN: %colonnade check %s -f filled --dump=ir | FileCheck %s
// RUN: %colonnade check %s -f filled | FileCheck %s --check-prefix=ACCEPT
// RUN: not %colonnade check %s -f used_after 2>&1 | FileCheck %s --check-prefix=REJECT

int filled(const int *a, int *out, int n) {
  int *p = out;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    *p++ = a[i];
  }
  return p - out;
}
// CHECK: for %i#{{[0-9]+}} {{.*}} go (%[[P:p#[0-9]+]] : s64 = %{{[0-9]+}}, %p#{{[0-9]+}} : s64 = %{{[0-9]+}}) {
// CHECK: store @out[%[[P]]]
// CHECK: add %[[P]], %{{[0-9]+}} : s64 speculative
// ACCEPT: filled: accept, class P

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

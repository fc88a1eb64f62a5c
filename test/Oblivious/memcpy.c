// An index is copied as bytes; a place or a length of a copy is data.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f copied_index -f renamed -f with_helper -f looped -f place -f length --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f copied_index -f renamed -f with_helper -f looped -f place -f length --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

#include <string.h>

void copied_index(const int *a, const int *u, int *out, int n) {
  int k[2] = {0, 1};
  memcpy(k, &X[n], sizeof(int));
  out[k[0]] = 1;
}
// CHECK: memcpy.c:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'out[{{.*}}]' depends on data{{.*}}[OBL201, class N]
// CHECK: memcpy.c:[[#@LINE-4]]:{{[0-9]+}}: note: 'a[n]' is instance data, loaded here
// CHECK: copied_index: reject, class N

void renamed(const int *a, const int *u, int *result, int i) {
  int index;
  memcpy(&index, X + i, sizeof index);
  result[index] = 1;
}
// CHECK: error: the address of 'result[{{.*}}]' depends on data
// CHECK: renamed: reject, class N

static void copy(int *to, const int *from, int count) { memmove(to, from, count * sizeof(int)); }
void with_helper(const int *a, const int *u, int *out, int n) {
  int t[3];
  copy(t, X, 3);
  out[t[n]] = 1;
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: with_helper: reject, class N

void looped(const int *a, const int *u, int *out, int n) {
  int t[4] = {0};
  for (int i = 0; i < n; i++) {
    out[t[i & 3]] = i;
    memcpy(&t[1], &X[i], sizeof(int));
  }
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: looped: reject, class N

void place(const int *a, const int *u, int *out, int n) {
  memcpy(out + X[n], a, 4 * sizeof(int));
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: place: reject, class N

void length(const int *a, const int *u, int *out, int n) {
  memcpy(out, a, X[n] * sizeof(int));
}
// CHECK: error: how many cells are copied or filled here depends on data
// CHECK: length: reject, class N

// OK: copied_index: accept, class A
// OK: renamed: accept, class A
// OK: with_helper: accept, class A
// OK: looped: accept, class A
// OK: place: accept, class A
// OK: length: accept, class A

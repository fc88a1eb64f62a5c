// How often a counted loop runs is data.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f trips -f repeat -f with_helper -f inner -- -DX=a[0] 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f trips -f repeat -f with_helper -f inner -- -DX=n 2>&1 | FileCheck %s --check-prefix=OK

void trips(int *a, int *out, int n) {
  int m = X;
  for (int i = 0; i < m; i++)
    out[i] = 1;
  a[0] = 0;
}
// CHECK: trip-count.c:[[#@LINE-4]]:{{[0-9]+}}: error: the number of iterations of this loop depends on data ('m'){{.*}}[OBL203, class T]
// CHECK: trip-count.c:[[#@LINE-6]]:{{[0-9]+}}: note: 'a[0]' is instance data, loaded here
// CHECK: trips: reject, class T

void repeat(int *a, int *result, int n) {
  int first = X;
  a[0] = 1;
  for (int at = first; at < 100; at += 2)
    result[0] += at;
}
// CHECK: error: the number of iterations of this loop depends on data
// CHECK: repeat: reject, class T

static void fill(int *out, int count, int value) {
  for (int i = 0; i < count; i++)
    out[i] = value;
}
void with_helper(int *a, int *out, int n) {
  fill(out, X, 3);
  a[0] = 1;
}
// CHECK: error: the number of iterations of this loop depends on data
// CHECK: with_helper: reject, class T

void inner(int *a, int *out, int n) {
  for (int r = 0; r < n; r++) {
    int m = X;
    for (int i = 0; i < m; i++)
      out[r] += i;
    a[0] += r;
  }
}
// CHECK: error: the number of iterations of this loop depends on data
// CHECK: inner: reject, class T

// OK: trips: accept, class A
// OK: repeat: accept, class A
// OK: with_helper: accept, class A
// OK: inner: accept, class A

// A loop runs until the data says stop.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f collatz -f digits -f with_helper -f each --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f collatz -f digits -f with_helper -f each --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

int collatz(const int *a, const int *u, int *out, int n) {
  int x = X[n], k = 0;
  while (x > 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    k++;
  }
  out[0] = k;
  return k;
}
// CHECK: unbounded-loop.c:[[#@LINE-7]]:{{[0-9]+}}: error: how often this loop runs depends on data{{.*}}[OBL205, class T]
// CHECK: unbounded-loop.c:[[#@LINE-9]]:{{[0-9]+}}: note: 'a[n]' is instance data, loaded here
// CHECK: collatz: reject, class T

int digits(const int *a, const int *u, int *out, int i) {
  int value = X[i], count = 0;
  do {
    value /= 10;
    count++;
  } while (value != 0);
  out[0] = count;
  return count;
}
// CHECK: error: how often this loop runs depends on data{{.*}}[OBL205, class T]
// CHECK: digits: reject, class T

static int bits(unsigned x) {
  int k = 0;
  for (; x; x >>= 1)
    k++;
  return k;
}
int with_helper(const int *a, const int *u, int n) { return bits(X[n]); }
// CHECK: error: how often this loop runs depends on data{{.*}}[OBL205, class T]
// CHECK: with_helper: reject, class T

void each(const int *a, const int *u, int *out, int n) {
  for (int i = 0; i < n; i++) {
    int x = 1;
    while (x < n) {
      x *= 3;
      if (x > X[i])
        break;
    }
    out[i] = x;
  }
}
// CHECK: error: this loop may end early depending on data, and without that exit it is not shown to end{{.*}}[OBL206, class T]
// CHECK: each: reject, class T

// OK: collatz: accept, class A
// OK: digits: accept, class A
// OK: with_helper: accept, class A
// OK: each: accept, class A

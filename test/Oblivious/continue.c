// What follows a continue on data runs in some of the instances only.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f skip -f drop -f with_helper -f outer --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f skip -f drop -f with_helper -f outer --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

void skip(const int *a, const int *u, int *out, int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (X[i] < 0)
      continue;
    k++;
  }
  out[k] = 1;
}
// CHECK: continue.c:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'out[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: continue.c:[[#@LINE-7]]:{{[0-9]+}}: note: 'a[i]' is instance data, loaded here
// CHECK: skip: reject, class N

void drop(const int *a, const int *u, int *out, int count) {
  int at = 0, i = 0;
  while (i < count) {
    int x = X[i++];
    out[at] = x;
    if (x == 0)
      continue;
    at += 1;
  }
}
// CHECK: error: the address of 'out[at]' depends on data
// CHECK: drop: reject, class N

static int negative(int x) { return x < 0; }
void with_helper(const int *a, const int *u, int *out, int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (negative(X[i]))
      continue;
    out[k++] = i;
  }
}
// CHECK: error: the address of 'out[k]' depends on data
// CHECK: with_helper: reject, class N

void outer(const int *a, const int *u, int *out, int n) {
  for (int r = 0; r < n; r++) {
    int k = 0;
    for (int i = 0; i < r; i++) {
      if (X[i] < 0)
        continue;
      k = i;
    }
    out[k] = r;
  }
}
// CHECK: error: the address of 'out[k]' depends on data
// CHECK: outer: reject, class N

// OK: skip: accept, class A
// OK: drop: accept, class A
// OK: with_helper: accept, class A
// OK: outer: accept, class A

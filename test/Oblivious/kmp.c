// The failure function of a pattern is used as an index into itself.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f prefix_function -f borders -f with_helper -f patterns --uniform u -- -DX=s 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f prefix_function -f borders -f with_helper -f patterns --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

void prefix_function(const char *s, const char *u, int *fail, int n) {
  fail[0] = 0;
  int k = 0;
  for (int i = 1; i < n; i++) {
    if (X[k] == X[i])
      k++;
    fail[i] = k;
  }
}
// CHECK: kmp.c:[[#@LINE-5]]:{{[0-9]+}}: error: the address of 's[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: kmp.c:[[#@LINE-6]]:{{[0-9]+}}: note: 's[{{[ik]}}]' is instance data, loaded here
// CHECK: prefix_function: reject, class N

int borders(const char *s, const char *u, int *fail, int length) {
  int border[64], k = 0;
  border[0] = 0;
  for (int i = 1; i < length; i++) {
    while (k > 0 && X[k] != X[i])
      k = border[k - 1];
    if (X[k] == X[i])
      k++;
    border[i] = k;
  }
  return k;
}
// CHECK: error: how often this loop runs depends on data{{.*}}[OBL205, class T]
// CHECK: error: the address of 's[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: error: the address of 'border[{{.*}}]' depends on data
// CHECK: borders: reject, class N

static int extend(const char *s, int k, int i) { return s[k] == s[i] ? k + 1 : 0; }
void with_helper(const char *s, const char *u, int *fail, int n) {
  int k = 0;
  for (int i = 1; i < n; i++)
    fail[i] = k = extend(X, k, i);
}
// CHECK: error: the address of 's[{{.*}}]' depends on data
// CHECK: with_helper: reject, class N

void patterns(const char *s, const char *u, int *fail, int n, int m) {
  for (int p = 0; p < m; p++) {
    int k = 0;
    for (int i = 1; i < n; i++) {
      if (X[p * n + k] == X[p * n + i])
        k++;
      fail[p * n + i] = k;
    }
  }
}
// CHECK: error: the address of 's[{{.*}}]' depends on data
// CHECK: patterns: reject, class N

// OK: prefix_function: accept, class A
// OK: borders: accept, class A
// OK: with_helper: accept, class A
// OK: patterns: accept, class A

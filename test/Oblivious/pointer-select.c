// The array that is accessed is chosen by data.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f larger -f pick -f with_helper -f turns -- -DX=a[0] 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f larger -f pick -f with_helper -f turns -- -DX=n 2>&1 | FileCheck %s --check-prefix=OK

float larger(const float *a, const float *b, float *out, int n) {
  const float *p = X < 1 ? a : b;
  for (int i = 0; i < n; i++)
    out[i] = p[i];
  return 0;
}
// CHECK: pointer-select.c:[[#@LINE-3]]:{{[0-9]+}}: error: which array is accessed here depends on data{{.*}}[OBL202, class N]
// CHECK: pointer-select.c:[[#@LINE-6]]:{{[0-9]+}}: note: 'a[0]' is instance data, loaded here
// CHECK: larger: reject, class N

void pick(float *a, float *b, int n) {
  float *target = b;
  if (X < 1)
    target = a;
  target[1] = 0;
}
// CHECK: error: which array is accessed here depends on data
// CHECK: pick: reject, class N

static void clear(float *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
void with_helper(float *a, float *b, int n) { clear(X < 1 ? a : b, n); }
// CHECK: error: which array is accessed here depends on data
// CHECK: with_helper: reject, class N

void turns(float *a, float *b, int n) {
  for (int i = 0; i < n; i++) {
    float *from = a, *to = b;
    if (X < 1) {
      from = b;
      to = a;
    }
    to[i] = from[i] + 1;
  }
}
// CHECK: error: which array is accessed here depends on data
// CHECK: turns: reject, class N

// OK: larger: accept, class A
// OK: pick: accept, class A
// OK: with_helper: accept, class A
// OK: turns: accept, class A

// The right side of && changes an index, in some of the instances only.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f side_effect -f either -f with_helper -f looped --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f side_effect -f either -f with_helper -f looped --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

void side_effect(const int *a, const int *u, int *out, int n) {
  int k = 0;
  if (X[n] > 0 && ++k > 0)
    out[0] = 2;
  out[k] = 1;
}
// CHECK: short-circuit.c:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'out[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: short-circuit.c:[[#@LINE-5]]:{{[0-9]+}}: note: 'a[n]' is instance data, loaded here
// CHECK: side_effect: reject, class N

void either(const int *a, const int *u, int *out, int i) {
  int place = 3;
  int any = X[i] == 0 || (place = 4);
  out[place] = any;
}
// CHECK: error: the address of 'out[place]' depends on data
// CHECK: either: reject, class N

static int next(int *k) { return (*k)++; }
void with_helper(const int *a, const int *u, int *out, int n) {
  int k = 0;
  int both = X[n] > 0 && next(&k) == 0;
  out[k] = both;
}
// CHECK: error: the address of 'out[k]' depends on data
// CHECK: with_helper: reject, class N

void looped(const int *a, const int *u, int *out, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    out[k] = X[i] > 0 ? k++ : 0;
}
// CHECK: error: the address of 'out[k]' depends on data
// CHECK: looped: reject, class N

// OK: side_effect: accept, class A
// OK: either: accept, class A
// OK: with_helper: accept, class A
// OK: looped: accept, class A

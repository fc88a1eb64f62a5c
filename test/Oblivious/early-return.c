// A callee that returns early on data gives back how far it came.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f mark_first -f locate -f nested -f each_row --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f mark_first -f locate -f nested -f each_row --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

static int find(const int *x, int n, int key) {
  for (int i = 0; i < n; i++)
    if (x[i] == key)
      return i;
  return n;
}
void mark_first(const int *a, const int *u, int *out, int n) { out[find(X, n, 7)] = 1; }
// CHECK: early-return.c:[[#@LINE-1]]:{{[0-9]+}}: error: the address of 'out[{{.*}}]' depends on data{{.*}}[OBL201, class N]
// CHECK: early-return.c:[[#@LINE-6]]:{{[0-9]+}}: note: 'a[i]' is instance data, loaded here
// CHECK: note: comes back from this call
// CHECK: mark_first: reject, class N

static int index_of(const int *values, int wanted) {
  if (values[wanted] == wanted)
    return 0;
  if (values[wanted + 1] == wanted)
    return 1;
  return 2;
}
void locate(const int *a, const int *u, int *out, int count) { out[index_of(X, count)]++; }
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: locate: reject, class N

static int twice(const int *x, int n) { return 2 * find(x, n, 3); }
void nested(const int *a, const int *u, int *out, int n) {
  int k = twice(X, n);
  out[k] = 1;
}
// CHECK: error: the address of 'out[k]' depends on data
// CHECK: nested: reject, class N

void each_row(const int *a, const int *u, int *out, int n) {
  for (int r = 0; r < n; r++)
    out[find(X, n, r)] = r;
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: each_row: reject, class N

// OK: mark_first: accept, class A
// OK: locate: accept, class A
// OK: nested: accept, class A
// OK: each_row: accept, class A

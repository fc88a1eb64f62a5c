// Falling through the cases of a switch on data changes an index.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f count_down -f sum -f with_helper -f codes --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f count_down -f sum -f with_helper -f codes --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

void count_down(const int *a, const int *u, int *out, int n) {
  int k = 0;
  switch (X[n]) {
  case 2:
    k++;
  case 1:
    k++;
    break;
  default:
    k = 7;
  }
  out[k] = 1;
}
// CHECK: switch-fall-through.c:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'out[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: switch-fall-through.c:[[#@LINE-12]]:{{[0-9]+}}: note: 'a[n]' is instance data, loaded here
// CHECK: count_down: reject, class N

void sum(const int *a, const int *u, int *result, int i) {
  int total = 0;
  switch (X[i] & 3) {
  case 0:
    total += 1;
  case 1:
    total += 2;
  case 2:
    total += 4;
  }
  result[total] = 1;
}
// CHECK: error: the address of 'result[total]' depends on data
// CHECK: sum: reject, class N

static int weight(int x) {
  int k = 1;
  switch (x) {
  case 0:
    k = 2;
  case 1:
    return k;
  }
  return 3;
}
void with_helper(const int *a, const int *u, int *out, int n) { out[weight(X[n])] = 1; }
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: with_helper: reject, class N

void codes(const int *a, const int *u, int *out, int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    out[k] = i;
    switch (X[i]) {
    case 1:
      k += 1;
    case 2:
      k += 1;
    }
  }
}
// CHECK: error: the address of 'out[k]' depends on data
// CHECK: codes: reject, class N

// OK: count_down: accept, class A
// OK: sum: accept, class A
// OK: with_helper: accept, class A
// OK: codes: accept, class A

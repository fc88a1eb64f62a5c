// The counter of a loop that was left on data is used after it.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f first_zero -f leave -f with_helper -f segments --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f first_zero -f leave -f with_helper -f segments --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

void first_zero(const int *a, const int *u, int *out, int n) {
  int i;
  for (i = 0; i < n; i++)
    if (X[i] == 0)
      break;
  out[i] = 1;
}
// CHECK: exit-counter.c:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'out[i]' depends on data{{.*}}[OBL201, class N]
// CHECK: exit-counter.c:[[#@LINE-5]]:{{[0-9]+}}: note: 'a[i]' is instance data, loaded here
// CHECK: note: 'i' keeps its value from the iteration in which the loop was left
// CHECK: first_zero: reject, class N

void leave(const int *a, const int *u, int *out, int size) {
  int steps = 0;
  for (int at = 0; at < size && X[at] >= 0; at++)
    steps += 2;
  out[steps] = 1;
}
// CHECK: error: the address of 'out[steps]' depends on data
// CHECK: leave: reject, class N

static int stop(int x) { return x == 0; }
void with_helper(const int *a, const int *u, int *out, int n) {
  int i = 0;
  while (i < n) {
    if (stop(X[i]))
      break;
    i++;
  }
  out[i] = 1;
}
// CHECK: error: the address of 'out[i]' depends on data
// CHECK: with_helper: reject, class N

void segments(const int *a, const int *u, int *out, int n) {
  int end = 0;
  for (int s = 0; s < n; s++) {
    out[end] = s;
    for (int i = 0; i < n; i++) {
      end = i;
      if (X[i] == s)
        break;
    }
  }
}
// CHECK: error: the address of 'out[end]' depends on data
// CHECK: segments: reject, class N

// OK: first_zero: accept, class A
// OK: leave: accept, class A
// OK: with_helper: accept, class A
// OK: segments: accept, class A

// A counter is chosen by the value that it counts.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f histogram -f tally -f with_helper -f small -f rounds -- -DX=x[i] 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f histogram -f tally -f with_helper -f small -f rounds -- -DX=i 2>&1 | FileCheck %s --check-prefix=OK

void histogram(const unsigned char *x, int *hist, int n) {
  for (int i = 0; i < n; i++)
    hist[X]++;
}
// CHECK: histogram.c:[[#@LINE-2]]:{{[0-9]+}}: error: the address of 'hist[x[i]]' depends on data{{.*}}[OBL201, class N]
// CHECK: histogram.c:[[#@LINE-3]]:{{[0-9]+}}: note: 'x[i]' is instance data, loaded here
// CHECK: histogram: reject, class N

void tally(const unsigned char *x, unsigned *counts, unsigned length) {
  for (unsigned i = 0; i != length; ++i)
    counts[X] = counts[X] + 1;
}
// CHECK: error: the address of 'counts[x[i]]' depends on data
// CHECK: tally: reject, class N

static void bump(int *counter) { *counter += 1; }
void with_helper(const unsigned char *x, int *hist, int n) {
  for (int i = 0; i < n; i++)
    bump(&hist[X]);
}
// CHECK: error: the address of 'hist[x[i]]' depends on data
// CHECK: with_helper: reject, class N

void small(const unsigned char *x, int *out, int n) {
  int hist[16] = {0};
  for (int i = 0; i < n; i++)
    hist[(X) & 15]++;
  for (int k = 0; k < 16; k++)
    out[k] = hist[k];
}
// CHECK: error: the address of 'hist[x[i] & 15]' depends on data; the array has only 16 cells{{.*}}[OBL207, class S]
// CHECK: small: reject, class S

void rounds(const unsigned char *x, int *hist, int n, int m) {
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      hist[X] += r;
}
// CHECK: error: the address of 'hist[x[i]]' depends on data
// CHECK: rounds: reject, class N

// OK: histogram: accept, class A
// OK: tally: accept, class A
// OK: with_helper: accept, class A
// OK: small: accept, class A
// OK: rounds: accept, class A

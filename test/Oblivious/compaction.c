// The place in the output depends on how many items were kept before.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f compact -f keep_positive -f with_helper -f rows --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f compact -f keep_positive -f with_helper -f rows --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

int compact(const int *a, const int *u, int *out, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (X[i] > 0)
      out[k++] = a[i];
  return k;
}
// CHECK: compaction.c:[[#@LINE-3]]:{{[0-9]+}}: error: the address of 'out[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: compaction.c:[[#@LINE-5]]:{{[0-9]+}}: note: 'a[i]' is instance data, loaded here
// CHECK: note: under this condition on data
// CHECK: compact: reject, class N

int keep_positive(const int *a, const int *u, int *result, int count) {
  int *end = result;
  for (int i = 0; i < count; i++) {
    if (X[i] <= 0)
      continue;
    *end = a[i];
    end++;
  }
  return end - result;
}
// CHECK: error: the address of 'result[{{.*}}]' depends on data
// CHECK: keep_positive: reject, class N

static void push(int *out, int *k, int value) { out[(*k)++] = value; }
int with_helper(const int *a, const int *u, int *out, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (X[i] > 0)
      push(out, &k, a[i]);
  return k;
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: with_helper: reject, class N

void rows(const int *a, const int *u, int *out, int n, int m) {
  for (int r = 0; r < m; r++) {
    int k = 0;
    for (int i = 0; i < n; i++)
      if (X[i] > 0)
        out[r * n + k++] = a[r * n + i];
  }
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: rows: reject, class N

// OK: compact: accept, class A
// OK: keep_positive: accept, class A
// OK: with_helper: accept, class A
// OK: rows: accept, class A

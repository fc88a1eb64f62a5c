// Where a partition puts the next small item depends on the items.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f partition -f split -f with_helper -f levels --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f partition -f split -f with_helper -f levels --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

int partition(int *a, const int *u, int n) {
  int pivot = X[n - 1], k = 0;
  for (int i = 0; i < n - 1; i++)
    if (X[i] < pivot) {
      int t = a[i];
      a[i] = a[k];
      a[k] = t;
      k++;
    }
  return k;
}
// CHECK: quicksort-partition.c:[[#@LINE-6]]:{{[0-9]+}}: error: the address of 'a[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: quicksort-partition.c:[[#@LINE-6]]:{{[0-9]+}}: error: the address of 'a[k]' depends on data{{.*}}[OBL201, class N]
// CHECK: partition: reject, class N

int split(int *a, const int *u, int size) {
  int middle = X[0], lo = 0, hi = size - 1;
  for (;;) {
    while (X[lo] < middle)
      lo++;
    while (X[hi] > middle)
      hi--;
    if (lo >= hi)
      return hi;
    int t = a[lo];
    a[lo] = a[hi];
    a[hi] = t;
    lo++;
    hi--;
  }
}
// CHECK: error: how often this loop runs depends on data{{.*}}[OBL205, class T]
// CHECK: error: the address of 'a[lo]' depends on data
// CHECK: split: reject, class N

static void swap(int *x, int *y) {
  int t = *x;
  *x = *y;
  *y = t;
}
int with_helper(int *a, const int *u, int n) {
  int k = 0;
  for (int i = 0; i < n - 1; i++)
    if (X[i] < X[n - 1])
      swap(&a[i], &a[k++]);
  return k;
}
// CHECK: error: the address of 'a[{{.*}}]' depends on data
// CHECK: with_helper: reject, class N

void levels(int *a, const int *u, int n, int depth) {
  for (int d = 0; d < depth; d++) {
    int k = 0;
    for (int i = 0; i < n; i++)
      if (X[i] < d) {
        int t = a[i];
        a[i] = a[k];
        a[k++] = t;
      }
  }
}
// CHECK: error: the address of 'a[k]' depends on data
// CHECK: levels: reject, class N

// OK: partition: accept, class A
// OK: split: accept, class A
// OK: with_helper: accept, class A
// OK: levels: accept, class A

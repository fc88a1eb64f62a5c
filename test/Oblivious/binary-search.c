// The walk of a binary search depends on the data it finds.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f search -f find_place -f with_helper -f many --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f search -f find_place -f with_helper -f many --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

int search(const int *a, const int *u, int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (X[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
// CHECK: binary-search.c:[[#@LINE-9]]:{{[0-9]+}}: error: how often this loop runs depends on data{{.*}}[OBL205, class T]
// CHECK: binary-search.c:[[#@LINE-8]]:{{[0-9]+}}: error: the address of 'a[mid]' depends on data{{.*}}[OBL201, class N]
// CHECK: binary-search.c:[[#@LINE-9]]:{{[0-9]+}}: note: 'a[mid]' is instance data, loaded here
// CHECK: search: reject, class N

int find_place(const int *a, const int *u, int size, int wanted) {
  int first = 0;
  for (int last = size; first < last;) {
    int middle = first + (last - first) / 2;
    if (X[middle] >= wanted)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}
// CHECK: error: the address of 'a[middle]' depends on data
// CHECK: find_place: reject, class N

static int below(int x, int key) { return x < key; }
static int halve(int lo, int hi) { return (lo + hi) >> 1; }
int with_helper(const int *a, const int *u, int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = halve(lo, hi);
    if (below(X[mid], key))
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}
// CHECK: error: the address of 'a[mid]' depends on data
// CHECK: with_helper: reject, class N

void many(const int *a, const int *u, int n, int *out) {
  for (int key = 0; key < n; key++) {
    int lo = 0, hi = n;
    while (lo < hi) {
      int mid = (lo + hi) / 2;
      if (X[mid] < key)
        lo = mid + 1;
      else
        hi = mid;
    }
    out[key] = lo;
  }
}
// CHECK: error: the address of 'a[mid]' depends on data
// CHECK: many: reject, class N

// OK: search: accept, class A
// OK: find_place: accept, class A
// OK: with_helper: accept, class A
// OK: many: accept, class A

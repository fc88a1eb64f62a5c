// Where an item is inserted depends on the items.
//
// X is the one token that differs between the rejected and the accepted programme.
// RUN: not %colonnade check %s -f insertion_sort -f sort_cards -f with_helper -f columns --uniform u -- -DX=a 2>&1 | FileCheck %s
// RUN: %colonnade check %s -f insertion_sort -f sort_cards -f with_helper -f columns --uniform u -- -DX=u 2>&1 | FileCheck %s --check-prefix=OK

void insertion_sort(int *a, const int *u, int n) {
  for (int i = 1; i < n; i++) {
    int key = X[i], j = i - 1;
    while (j >= 0 && X[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}
// CHECK: insertion-sort.c:[[#@LINE-3]]:{{[0-9]+}}: error: the address of 'a[{{.*}}]' depends on data{{.*}}[OBL201, class N]
// CHECK: note: 'a[{{.*}}]' is instance data, loaded here
// CHECK: insertion_sort: reject, class N

void sort_cards(int *a, const int *u, int count) {
  int place;
  for (int next = 1; next < count; next++) {
    int card = X[next];
    for (place = next; place > 0; place--) {
      if (X[place - 1] <= card)
        break;
      a[place] = a[place - 1];
    }
    a[place] = card;
  }
}
// CHECK: error: the address of 'a[place]' depends on data
// CHECK: sort_cards: reject, class N

static int place_of(const int *x, int i, int key) {
  while (i > 0 && x[i - 1] > key)
    i--;
  return i;
}
void with_helper(int *a, const int *u, int *out, int n) {
  for (int i = 1; i < n; i++)
    out[place_of(X, i, u[i])] = a[i];
}
// CHECK: error: the address of 'out[{{.*}}]' depends on data
// CHECK: with_helper: reject, class N

void columns(int *a, const int *u, int n, int m) {
  for (int c = 0; c < m; c++)
    for (int i = 1; i < n; i++) {
      int key = u[i], j = i;
      for (; j > 0 && X[(j - 1) * m + c] > key; j--)
        a[j * m + c] = a[(j - 1) * m + c];
      a[j * m + c] = key;
    }
}
// CHECK: error: the address of 'a[{{.*}}]' depends on data
// CHECK: columns: reject, class N

// OK: insertion_sort: accept, class A
// OK: sort_cards: accept, class A
// OK: with_helper: accept, class A
// OK: columns: accept, class A

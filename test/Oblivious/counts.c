// RUN: %colonnade check %s --verbose -f triangle -f below_diagonal -f banded | FileCheck %s
//
// A count is exact, or there is none: an inner loop whose bound may lie below its start
// runs no iteration there, which no polynomial says.

// CHECK-LABEL: triangle: accept
// CHECK: accesses per instance: n*(n-1)/2
void triangle(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[j] = 1;
}

// CHECK-LABEL: below_diagonal: accept
// CHECK: accesses per instance: no closed form
void below_diagonal(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < i; j++)
      a[j] = 1;
}

// CHECK-LABEL: banded: accept
// CHECK: accesses per instance: no closed form
void banded(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 2; j < n; j++)
      a[j] = 1;
}

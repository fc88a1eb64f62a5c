// RUN: %colonnade check %s --verbose -f triangle -f below_diagonal -f banded | FileCheck %s
// RUN: %colonnade check %s --verbose -f below_diagonal --size n=5 | FileCheck %s --check-prefix=FIXED
// RUN: %colonnade check %s --verbose -f halvings | FileCheck %s --check-prefix=HALVINGS
// RUN: %colonnade check %s --verbose -f looked_up | FileCheck %s --check-prefix=CONTENTS
//
// A count is exact, or there is none: a loop whose bound may lie below its start runs no
// iteration there, which max() says. With all sizes fixed it is a number.

// FIXED: accesses per instance: 6

#include <colonnade/annotate.h>

// CHECK-LABEL: triangle: accept
// CHECK: accesses per instance: n*(n-1)/2
void triangle(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[j] = 1;
}

// CHECK-LABEL: below_diagonal: accept
// CHECK: accesses per instance: max(n-1, 0)*(max(n-1, 0)-1)/2
void below_diagonal(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < i; j++)
      a[j] = 1;
}

// CHECK-LABEL: banded: accept
// CHECK: accesses per instance: max(n-1, 0)*(max(n-1, 0)-1)/2
void banded(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 2; j < n; j++)
      a[j] = 1;
}

// HALVINGS: accesses per instance: 7
void halvings(int a[64]) {
  for (int i = 64; i > 0; i /= 2)
    a[i - 1] = 1;
}

// What decides is not known before the launch.
// CONTENTS: accesses per instance: no closed form
void looked_up(int a[64], const int COLONNADE_UNIFORM steps[1]) {
  for (int i = 64; i > 0; i /= 2)
    if (steps[0] > i)
      a[i - 1] = 1;
}

// By kind: what is loaded and stored, what only some data asks for, and what else is accessed.
// RUN: %colonnade check %s --verbose -f kinds | FileCheck %s --check-prefix=KINDS
// KINDS:      accesses per instance: 4*n
// KINDS-NEXT: loads: 2*n
// KINDS-NEXT: stores: 2*n
// KINDS-NEXT: conditional: n
// KINDS-NEXT: local: n+4
// KINDS-NEXT: uniform: n
// KINDS-NEXT: table: n
// RUN: %colonnade check %s -f kinds --json - | FileCheck %s --check-prefix=JSON
// JSON:      "accesses": "4*n",
// JSON-NEXT: "accesses_by_kind": {
// JSON-NEXT:   "loads": "2*n",
// JSON-NEXT:   "stores": "2*n",
// JSON-NEXT:   "always": "3*n",
// JSON-NEXT:   "conditional": "n",
// JSON-NEXT:   "scalar": "0",
// JSON-NEXT:   "local": "n+4",
// JSON-NEXT:   "uniform": "n",
// JSON-NEXT:   "table": "n"
// JSON-NEXT: },
void kinds(int *COLONNADE_EXTENT(n) a, const int COLONNADE_UNIFORM *t COLONNADE_EXTENT(n), int n) {
  static const int weights[4] = {1, 2, 3, 4};
  int last[4] = {0};
  for (int i = 0; i < n; i++) {
    last[i % 4] = a[i] * t[i];
    a[i] = weights[i % 4];
    if (a[i] > 3)
      a[i] = 0;
  }
}

// Before a loop's first iteration is over, no data has ended it. What is behind a way out in it, or in
// a branch on data, is made only where data says so.
// RUN: %colonnade check %s -f ended -f ended_within -f ended_in_rows --json - | FileCheck %s --check-prefix=ENDED
// ENDED:      "accesses": "3*n",
// ENDED:        "always": "3*n-3*max(n-1, 0)",
// ENDED-NEXT:   "conditional": "3*max(n-1, 0)",
// ENDED:      "accesses": "2*n",
// ENDED:        "always": "n-max(n-1, 0)",
// ENDED-NEXT:   "conditional": "max(n-1, 0)+n",
// ENDED:      "accesses": "m*n",
// ENDED:        "always": "m*(n-max(n-1, 0))",
// ENDED-NEXT:   "conditional": "max(n-1, 0)*m",
void ended(int *COLONNADE_EXTENT(n) a, int n) {
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    if (a[i] > 3)
      break;
  }
}

void ended_within(int *COLONNADE_EXTENT(n) a, int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 3)
      break;
    a[i] = 1;
  }
}

void ended_in_rows(int *COLONNADE_EXTENT(n *m) a, int n, int m) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      if (a[j * n + i] > 3)
        break;
}

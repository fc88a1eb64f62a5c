// The check of extents before a launch looks at the first and last iterations of loops
// that addresses are linear in, and walks the others.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %colonnade emit %s --target cpu -o %t -- %include
// RUN: FileCheck %s --check-prefix=LINEAR < %t/linear.bulk.cpp
// RUN: FileCheck %s --check-prefix=TRIANGLE < %t/triangle.bulk.cpp
// RUN: FileCheck %s --check-prefix=SQUARE < %t/square.bulk.cpp
// RUN: FileCheck %s --check-prefix=BOUND < %t/end_from_table.bulk.cpp
#include <colonnade/annotate.h>

// LINEAR: bool corners(
// LINEAR: corner_loop<int32_t> i_ends(ends, 0, n, 1, runtime::detail::loop_test::lt)
// LINEAR: corner_loop<int32_t> j_ends
// LINEAR: ends.add<int32_t>(ends.mul<int32_t>(i, n), j)
// LINEAR: if (!ends.access(
// LINEAR: walk_result walk(
// LINEAR: if (corners(scalars, cells, result))
COLONNADE_BULK
void linear(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] += 1;
}

// The outer counter bounds the inner loop: only the inner one is cut short.
// TRIANGLE: bool corners(
// TRIANGLE: for (int32_t i = 0; i < n; ++i)
// TRIANGLE: corner_loop<int32_t> j_ends
COLONNADE_BULK
void triangle(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      a[i * n + j] += 1;
}

// SQUARE-NOT: corner_loop
COLONNADE_BULK
void square(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    a[i * i] += 1;
}

// Contents of t decide about an address, so every round of i matters.
// BOUND: bool corners(
// BOUND: for (int32_t i{{.*}} < 4; ++i
// BOUND: corner_loop<int32_t> j_ends
COLONNADE_BULK
void end_from_table(float *a COLONNADE_EXTENT(n), int n) {
  int t[4] = {};
  for (int i = 0; i < 4; i++) {
    t[i] = i * n / 4;
    for (int j = 0; j < n; j++)
      a[j] += t[i];
  }
  a[t[3]] = 0;
}

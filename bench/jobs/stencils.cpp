//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// stencils.cpp: sweeps over small grids of n x n cells: Jacobi's, Seidel's, and one step of
// two coupled fields (finite differences in time).
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

COLONNADE_BULK
void jacobi_sweeps(float *a COLONNADE_EXTENT(n *n), float *b COLONNADE_EXTENT(n *n), int n) {
  for (int sweep = 0; sweep < 4; ++sweep) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        b[i * n + j] = 0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] +
                               a[(i + 1) * n + j] + a[(i - 1) * n + j]);
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        a[i * n + j] = 0.2f * (b[i * n + j] + b[i * n + j - 1] + b[i * n + j + 1] +
                               b[(i + 1) * n + j] + b[(i - 1) * n + j]);
  }
}

COLONNADE_BULK
void seidel_sweeps(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int sweep = 0; sweep < 4; ++sweep)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        a[i * n + j] = (a[(i - 1) * n + j] + a[i * n + j - 1] + a[i * n + j] + a[i * n + j + 1] +
                        a[(i + 1) * n + j]) /
                       5.0f;
}

COLONNADE_BULK
void field_step(float *ex COLONNADE_EXTENT(n *n), float *ey COLONNADE_EXTENT(n *n), float *hz COLONNADE_EXTENT(n *n), int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < n; ++j)
      ey[i * n + j] -= 0.5f * (hz[i * n + j] - hz[(i - 1) * n + j]);
  for (int i = 0; i < n; ++i)
    for (int j = 1; j < n; ++j)
      ex[i * n + j] -= 0.5f * (hz[i * n + j] - hz[i * n + j - 1]);
  for (int i = 0; i < n - 1; ++i)
    for (int j = 0; j < n - 1; ++j)
      hz[i * n + j] -=
          0.7f * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
}

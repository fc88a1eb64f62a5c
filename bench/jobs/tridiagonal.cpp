//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tridiagonal.cpp: solves a tridiagonal system; c is used up, d becomes the solution.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

COLONNADE_BULK
void tridiagonal(const float *a COLONNADE_EXTENT(n),
    const float *b COLONNADE_EXTENT(n), float *c COLONNADE_EXTENT(n),
                                                                  float *d COLONNADE_EXTENT(n),
                                                                                            int n) {
  c[0] /= b[0];
  d[0] /= b[0];
  for (int i = 1; i < n; ++i) {
    const float m = 1.0f / (b[i] - a[i] * c[i - 1]);
    c[i] *= m;
    d[i] = (d[i] - a[i] * d[i - 1]) * m;
  }
  for (int i = n - 2; i >= 0; --i)
    d[i] -= c[i] * d[i + 1];
}

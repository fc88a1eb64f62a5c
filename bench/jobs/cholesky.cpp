//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cholesky.cpp: the lower factor of a symmetric matrix, in place.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cmath>

COLONNADE_BULK
void cholesky(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int j = 0; j < n; ++j) {
    float diagonal = a[j * n + j];
    for (int k = 0; k < j; ++k)
      diagonal -= a[j * n + k] * a[j * n + k];
    diagonal = std::sqrt(diagonal);
    a[j * n + j] = diagonal;
    for (int i = j + 1; i < n; ++i) {
      float sum = a[i * n + j];
      for (int k = 0; k < j; ++k)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / diagonal;
    }
  }
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// other_cells.cpp: jobs on cells of other sizes than 32 bits: factors and prefix sums in double,
// products of 64-bit integers, and a weighted mean of neighbours of 16 bits.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cmath>
#include <cstdint>

COLONNADE_BULK
void cholesky_double(double *a COLONNADE_EXTENT(n *n), int n) {
  for (int j = 0; j < n; ++j) {
    double diagonal = a[j * n + j];
    for (int k = 0; k < j; ++k)
      diagonal -= a[j * n + k] * a[j * n + k];
    diagonal = std::sqrt(diagonal);
    a[j * n + j] = diagonal;
    for (int i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; ++k)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / diagonal;
    }
  }
}

COLONNADE_BULK
void prefix_sums_double(double *b COLONNADE_EXTENT(n), int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    b[i] = sum += b[i];
}

COLONNADE_BULK
void matrix_product_long(const int64_t *a COLONNADE_EXTENT(n *n), const int64_t *b COLONNADE_EXTENT(n *n), int64_t *c COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      uint64_t sum = 0;
      for (int k = 0; k < n; ++k)
        sum += static_cast<uint64_t>(a[i * n + k]) * static_cast<uint64_t>(b[k * n + j]);
      c[i * n + j] = static_cast<int64_t>(sum);
    }
}

COLONNADE_BULK
void smooth_short(const uint16_t *in COLONNADE_EXTENT(n), uint16_t *out COLONNADE_EXTENT(n),
                                                                                         int n) {
  for (int i = 0; i < n; ++i) {
    const uint32_t left = in[i == 0 ? 0 : i - 1], right = in[i == n - 1 ? i : i + 1];
    out[i] = static_cast<uint16_t>((left + 2u * in[i] + right + 2) / 4);
  }
}

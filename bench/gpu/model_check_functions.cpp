//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// model_check_functions.cpp: what scripts/model-check prices beside the examples.
//
// Small dense algebra, sorting, transforms and dynamic programming; cells of 1, 2, 4 and 8 bytes;
// every place that an array of the CUDA kernel can have: the caller's memory, registers (where a
// size is fixed), local arrays small and large, uniform arrays, tables small and large. All are of
// class A, but for the last two.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cmath>
#include <cstdint>

/// With n fixed, so that b is in registers; elsewhere the example itself is priced.
namespace sized {
#include "../../examples/prefix_sums/prefix_sums.cpp"
}

/// Loads and stores of one kind of cell: `reversed<uint16_t>`.
template <class Cell>
void reversed(const Cell *from COLONNADE_EXTENT(n), Cell *to COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    to[n - 1 - i] = from[i];
}
template void reversed<uint8_t>(const uint8_t *, uint8_t *, int);
template void reversed<uint16_t>(const uint16_t *, uint16_t *, int);
template void reversed<float>(const float *, float *, int);
template void reversed<double>(const double *, double *, int);

void cholesky(float *a COLONNADE_EXTENT(n *n), int n) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
    const float pivot = std::sqrt(a[j * n + j] + 4096); // lanes part at negative numbers
    for (int i = j; i < n; i++)
      a[i * n + j] /= pivot;
  }
}

void matrix_product(const double *a COLONNADE_EXTENT(n *n), const double *b COLONNADE_EXTENT(n *n), double *c COLONNADE_EXTENT(n *n), int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

/// Tridiagonal systems; both sweeps keep what they need in local arrays. The diagonal is the larger
/// by far: else values grow beyond all bounds, and divisions by such are calls.
void thomas(const float lower[64], const float diagonal[64], const float upper[64], float x[64]) {
  float c[64];
  float d[64];
  c[0] = upper[0] / (diagonal[0] + 256);
  d[0] = x[0] / (diagonal[0] + 256);
  for (int i = 1; i < 64; i++) {
    const float pivot = diagonal[i] + 256 - lower[i] * c[i - 1];
    c[i] = upper[i] / pivot;
    d[i] = (x[i] - lower[i] * d[i - 1]) / pivot;
  }
  x[63] = d[63];
  for (int i = 62; i >= 0; i--)
    x[i] = d[i] - c[i] * x[i + 1];
}

void fft_256(float re[256], float im[256], COLONNADE_UNIFORM const float twiddle_re[128],
             COLONNADE_UNIFORM const float twiddle_im[128]) {
  for (int half = 128; half > 0; half /= 2)
    for (int start = 0; start < 256; start += 2 * half)
      for (int k = 0; k < half; k++) {
        const int top = start + k;
        const int bottom = top + half;
        const float wr = twiddle_re[k * (128 / half)];
        const float wi = twiddle_im[k * (128 / half)];
        const float dr = re[top] - re[bottom];
        const float di = im[top] - im[bottom];
        re[top] += re[bottom];
        im[top] += im[bottom];
        re[bottom] = dr * wr - di * wi;
        im[bottom] = dr * wi + di * wr;
      }
}

/// The longest common subsequence of two strings of 64 letters, by a table of two rows.
int common_subsequence(const uint8_t a[64], const uint8_t b[64]) {
  int16_t row[65] = {};
  for (int i = 0; i < 64; i++) {
    int16_t diagonal = 0;
    for (int j = 1; j <= 64; j++) {
      const int16_t above = row[j];
      const int16_t left = row[j - 1];
      const int16_t best = above < left ? left : above;
      const int16_t matched = static_cast<int16_t>(diagonal + 1);
      row[j] = a[i] == b[j - 1] ? matched : best;
      diagonal = above;
    }
  }
  return row[64];
}

void stencil(const uint8_t in[18][18], uint8_t out[16][16]) {
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++) {
      const int sum = in[y][x + 1] + in[y + 2][x + 1] + in[y + 1][x] + in[y + 1][x + 2];
      out[y][x] = static_cast<uint8_t>((4 * in[y + 1][x + 1] + sum) / 8);
    }
}

void permuted(const float *b COLONNADE_EXTENT(n),
    float *c COLONNADE_EXTENT(n), COLONNADE_UNIFORM const int *perm COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    c[i] = b[perm[i]];
}

/// A table in constant memory, and one that is too large for it.
void weighted(short *a COLONNADE_EXTENT(n), int n) {
  static const short weights[8] = {1, 3, 5, 7, 9, 11, 13, 15};
  static const double large[9000] = {1, 2, 3};
  for (int i = 0; i < n; i++)
    a[i] = static_cast<short>(a[i] * weights[i % 8] + static_cast<int>(large[i * 7 % 9000]));
}

/// A local array that is too large for a thread's own.
void delayed(const float *in COLONNADE_EXTENT(n), float *out COLONNADE_EXTENT(n), int n) {
  float line[2048];
  for (int i = 0; i < n; i++)
    line[i % 2048] = in[i];
  for (int i = 0; i < n; i++)
    out[i] = line[i * 5 % 2048] + line[i % 2048];
}

/// Of class P: a binary search of fixed depth for a polynomial's zero; each step writes one side.
void bisected(const float coefficients[4], float bracket[2], int depth) {
  for (int step = 0; step < depth; step++) {
    const float middle = (bracket[0] + bracket[1]) / 2;
    float value = 0;
    for (int i = 0; i < 4; i++)
      value = value * middle + coefficients[i];
    if (value < 200000)
      bracket[0] = middle;
    else
      bracket[1] = middle;
  }
}

/// Of class P: leaves where the data says so.
int first_above(const int *a COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; i++)
    if (a[i] > 90)
      return i;
  return n;
}

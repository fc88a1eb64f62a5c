//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// transforms.cpp: the discrete Fourier transform (radix 2, twiddles given), and the integer
// cosine transform of 8 x 8 bytes, row by row and then column by column.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cstdint>

COLONNADE_BULK
void fft(float *re COLONNADE_EXTENT(n),
    float *im COLONNADE_EXTENT(n), COLONNADE_UNIFORM const float *wr COLONNADE_EXTENT(n / 2),
                                       COLONNADE_UNIFORM const float *wi COLONNADE_EXTENT(n / 2),
                                                                                          int n) {
  for (int i = 0, j = 0; i < n; ++i) {
    if (i < j) {
      const float r = re[i], m = im[i];
      re[i] = re[j], im[i] = im[j];
      re[j] = r, im[j] = m;
    }
    int bit = n / 2;
    for (; bit > 0 && j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
  }
  for (int half = 1; half < n; half *= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; ++k) {
        const int a = start + k, b = a + half, w = k * (n / 2 / half);
        const float r = wr[w] * re[b] - wi[w] * im[b], m = wr[w] * im[b] + wi[w] * re[b];
        re[b] = re[a] - r, im[b] = im[a] - m;
        re[a] += r, im[a] += m;
      }
}

// 128 cos(pi k / 16), rounded.
static void cosine_row(int x[8]) {
  const int s07 = x[0] + x[7], s16 = x[1] + x[6], s25 = x[2] + x[5], s34 = x[3] + x[4];
  const int d07 = x[0] - x[7], d16 = x[1] - x[6], d25 = x[2] - x[5], d34 = x[3] - x[4];
  x[0] = (91 * (s07 + s16 + s25 + s34)) >> 7;
  x[4] = (91 * (s07 - s16 - s25 + s34)) >> 7;
  x[2] = (118 * (s07 - s34) + 49 * (s16 - s25)) >> 7;
  x[6] = (49 * (s07 - s34) - 118 * (s16 - s25)) >> 7;
  x[1] = (126 * d07 + 106 * d16 + 71 * d25 + 25 * d34) >> 7;
  x[3] = (106 * d07 - 25 * d16 - 126 * d25 - 71 * d34) >> 7;
  x[5] = (71 * d07 - 126 * d16 + 25 * d25 + 106 * d34) >> 7;
  x[7] = (25 * d07 - 71 * d16 + 106 * d25 - 126 * d34) >> 7;
}

COLONNADE_BULK
void cosine_transform(const uint8_t in[8][8], int16_t out[8][8]) {
  int cells[8][8];
  for (int i = 0; i < 8; ++i) {
    int row[8];
    for (int j = 0; j < 8; ++j)
      row[j] = in[i][j] - 128;
    cosine_row(row);
    for (int j = 0; j < 8; ++j)
      cells[j][i] = row[j];
  }
  for (int j = 0; j < 8; ++j) {
    cosine_row(cells[j]);
    for (int i = 0; i < 8; ++i)
      out[i][j] = static_cast<int16_t>(cells[j][i]);
  }
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// filters.cpp: signals of 256 samples: a filter of 16 taps, two biquads one after the other,
// and the largest sample with its place.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

COLONNADE_BULK
void fir(const float in[256], COLONNADE_UNIFORM const float taps[16], float out[241]) {
  for (int i = 0; i < 241; ++i) {
    float sum = 0;
    for (int k = 0; k < 16; ++k)
      sum += taps[k] * in[i + k];
    out[i] = sum;
  }
}

COLONNADE_BULK
void biquads(float x[256], COLONNADE_UNIFORM const float coefficients[10]) {
  for (int stage = 0; stage < 2; ++stage) {
    const float *c = coefficients + 5 * stage;
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < 256; ++i) {
      const float y = c[0] * x[i] + c[1] * x1 + c[2] * x2 + c[3] * y1 + c[4] * y2;
      x2 = x1;
      x1 = x[i];
      y2 = y1;
      y1 = y;
      x[i] = y;
    }
  }
}

COLONNADE_BULK
float largest(const float x[256], int *place) {
  float most = x[0];
  int at = 0;
  for (int i = 1; i < 256; ++i)
    if (x[i] > most) {
      most = x[i];
      at = i;
    }
  *place = at;
  return most;
}

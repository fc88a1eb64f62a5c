//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The power spectrum of one window of a recording: an ordinary radix-2 FFT,
// sequential and in place. Window shape and twiddle factors are tables computed
// once for all windows, so they are uniform arrays. Class A.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

constexpr int window_size = 1024;
constexpr int window_bits = 10;

static int reverse_bits(int value) {
  int reversed = 0;
  for (int bit = 0; bit < window_bits; bit++) {
    reversed = reversed * 2 + (value & 1);
    value >>= 1;
  }
  return reversed;
}

// In: window_size samples. Out: |X[k]|^2 for k = 0 ... window_size/2.
// twiddle_re/im[k] = cos/sin(-2 pi k / window_size).
COLONNADE_BULK
void power_spectrum(const float samples[window_size],
                    COLONNADE_UNIFORM const float window[window_size],
                    COLONNADE_UNIFORM const float twiddle_re[window_size / 2],
                    COLONNADE_UNIFORM const float twiddle_im[window_size / 2],
                    float power[window_size / 2 + 1]) {
  float re[window_size];
  float im[window_size];
  for (int i = 0; i < window_size; i++) {
    int target = reverse_bits(i);
    re[target] = samples[i] * window[i];
    im[target] = 0;
  }
  for (int half = 1; half < window_size; half *= 2) {
    int stride = window_size / (2 * half);
    for (int start = 0; start < window_size; start += 2 * half) {
      for (int k = 0; k < half; k++) {
        float wr = twiddle_re[k * stride];
        float wi = twiddle_im[k * stride];
        int top = start + k;
        int bottom = top + half;
        float tr = re[bottom] * wr - im[bottom] * wi;
        float ti = re[bottom] * wi + im[bottom] * wr;
        re[bottom] = re[top] - tr;
        im[bottom] = im[top] - ti;
        re[top] += tr;
        im[top] += ti;
      }
    }
  }
  for (int k = 0; k <= window_size / 2; k++)
    power[k] = re[k] * re[k] + im[k] * im[k];
}

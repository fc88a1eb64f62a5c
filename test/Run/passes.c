// subset: Statements: passes over all cells of an array, each over pairs at another distance
// languages: c c++
// class: P
// arrays: keys f32 64; cells u32 128; re f64 64; im f64 64; factors f64 64
// call: passes(keys, cells, re, im, factors)
// RUN: %run-construct
//
// On a GPU, row-wise, threads keep cells in registers from one pass to the next: a sort whose
// directions differ by cell, sums and differences, and a transform whose order is changed first.
#include <colonnade/annotate.h>

#include <stdint.h>

void passes(float keys[64], uint32_t cells[128], double re[64], double im[64],
            const double factors[64]) {
  for (int run = 2; run <= 64; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2)
      for (int i = 0; i < 64; i++) {
        int partner = i ^ distance;
        if (partner < i)
          continue;
        if ((i & run) == 0 ? keys[partner] < keys[i] : keys[i] < keys[partner]) {
          float key = keys[i];
          keys[i] = keys[partner];
          keys[partner] = key;
        }
      }
  for (unsigned bit = 0; bit < 7; bit++) {
    unsigned half = 1u << bit;
    for (unsigned start = 0; start < 128; start += 2 * half)
      for (unsigned i = start; i < start + half; i++) {
        uint32_t x = cells[i], y = cells[i + half];
        cells[i] = x + y;
        cells[i + half] = (x - y) ^ i;
      }
  }
  for (int i = 0, j = 0; i < 64; i++) {
    if (i < j) {
      double r = re[i], m = im[i];
      re[i] = re[j];
      im[i] = im[j];
      re[j] = r;
      im[j] = m;
    }
    int bit = 32;
    for (; bit > 0 && (j & bit); bit /= 2)
      j ^= bit;
    j ^= bit;
  }
  for (int half = 1; half < 64; half *= 2)
    for (int start = 0; start < 64; start += 2 * half)
      for (int k = 0; k < half; k++) {
        int a = start + k, b = a + half, w = k * (32 / half);
        double r = factors[w] * re[b] - factors[32 + w] * im[b],
               m = factors[w] * im[b] + factors[32 + w] * re[b];
        re[b] = re[a] - r;
        im[b] = im[a] - m;
        re[a] += r;
        im[a] += m;
      }
}

// subset: Statements: loops whose iterations several threads can share
// languages: c c++
// class: P
// arrays: a f64 144; d f32 100; c u32 256; h u16 64; total u32 1
// call: shared_loops(a, d, c, h, total)
// RUN: %run-construct
//
// On a GPU, row-wise, a team of threads runs an instance: steps that need what other threads have
// stored, a loop that is split where it needs another's row, local arrays of a thread and of all.
#include <colonnade/annotate.h>

#include <stdint.h>

void shared_loops(double a[144], float d[100], uint32_t c[256], uint16_t h[64], uint32_t *total) {
  /* Elimination: each step needs the row that the step before has left. */
  for (int k = 0; k < 12; k++)
    for (int i = k + 1; i < 12; i++) {
      double factor = a[i * 12 + k] / (a[k * 12 + k] * a[k * 12 + k] + 1);
      for (int j = k; j < 12; j++)
        a[i * 12 + j] -= factor * a[k * 12 + j];
    }
  /* Shortest paths, where d[k][k] may be below zero. */
  for (int k = 0; k < 10; k++)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 10; j++)
        if (d[i * 10 + k] + d[k * 10 + j] < d[i * 10 + j])
          d[i * 10 + j] = d[i * 10 + k] + d[k * 10 + j];
  /* A column in a local array of each iteration. */
  uint32_t sums[16];
  for (int i = 0; i < 16; i++) {
    uint32_t column[16];
    for (int j = 0; j < 16; j++)
      column[j] = c[j * 16 + i] * 3u;
    uint32_t sum = 0;
    for (int j = 0; j < 16; j++)
      sum += column[15 - j] ^ sum << 1;
    sums[i] = sum;
  }
  /* What the iterations have left in a local array, one after the other, and by all. */
  uint32_t all = 0;
  for (int i = 0; i < 16; i++)
    all += sums[i] * (uint32_t)(i + 1);
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      c[i * 16 + j] += sums[j] - all;
  *total = all;
  /* Butterflies over pairs that double their distance. */
  for (int half = 1; half < 64; half *= 2)
    for (int start = 0; start < 64; start += 2 * half)
      for (int k = 0; k < half; k++) {
        uint16_t x = h[start + k], y = h[start + k + half];
        h[start + k] = (uint16_t)(x + y);
        h[start + k + half] = (uint16_t)(x - y);
      }
}

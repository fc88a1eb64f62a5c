// subset: Statements: nests in which an iteration needs those above it and to its left
// languages: c c++
// class: P
// arrays: a u8 40; b u8 56; t u16 2337
// call: wavefront(a, b, t)
// RUN: %run-construct
//
// On a GPU, row-wise, a team of threads goes through diagonals of the table: an edit distance.
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void wavefront(const uint8_t a[40], const uint8_t b[56], uint16_t t[2337]) {
  for (int i = 0; i <= 40; i++)
    t[i * 57] = (uint16_t)i;
  for (int j = 0; j <= 56; j++)
    t[j] = (uint16_t)j;
  for (int i = 1; i <= 40; i++)
    for (int j = 1; j <= 56; j++) {
      uint16_t best = (uint16_t)(t[(i - 1) * 57 + j - 1] + ((a[i - 1] & 3) != (b[j - 1] & 3)));
      const uint16_t above = (uint16_t)(t[(i - 1) * 57 + j] + 1);
      const uint16_t left = (uint16_t)(t[i * 57 + j - 1] + 1);
      best = above < best ? above : best;
      t[i * 57 + j] = left < best ? left : best;
    }
}

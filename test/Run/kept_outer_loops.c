// subset: Statements: nests of more operations than are unrolled
// languages: c c++
// class: P
// arrays: a u32 64; b u32 64; out u32 16
// call: kept_outer_loops(a, b, out)
// RUN: %run-construct
//
// Outer loops stay, and arrays that do not depend on them go to registers: a table of one row, a
// delay line that is shifted, an array that an inner loop reads at the outer one's place.
#include <colonnade/annotate.h>

#include <stdint.h>

/// The longest common subsequence by a table of one row.
static uint32_t common(const uint32_t a[64], const uint32_t b[64]) {
  uint16_t row[41] = {0};
  for (int i = 0; i < 40; i++) {
    uint16_t diagonal = 0;
    for (int j = 1; j <= 40; j++) {
      const uint16_t above = row[j], left = row[j - 1];
      const uint16_t best = above < left ? left : above;
      row[j] = (a[i] & 3) == (b[j - 1] & 3) ? (uint16_t)(diagonal + 1) : best;
      diagonal = above;
    }
  }
  return row[40];
}

/// 600 steps of a filter with 12 taps.
static uint32_t filtered(const uint32_t a[64], const uint32_t b[64]) {
  uint32_t line[12] = {0}, sum = 0;
  for (int t = 0; t < 600; t++) {
    for (int k = 11; k > 0; k--)
      line[k] = line[k - 1];
    line[0] = a[t & 63];
    for (int k = 0; k < 12; k++)
      sum += line[k] * b[k];
  }
  return sum;
}

/// Three loops: `last` depends on none of the two that stay, `each` on one of them.
static uint32_t nested(const uint32_t a[64], uint32_t each[12]) {
  uint32_t last[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 60; j++)
      for (int k = 0; k < 8; k++) {
        last[k] = last[k] * 5 + a[(i + j) & 63];
        each[i] += last[7 - k];
      }
  return last[0] ^ last[7];
}

COLONNADE_BULK
void kept_outer_loops(const uint32_t a[64], const uint32_t b[64], uint32_t out[16]) {
  uint32_t each[12] = {0};
  out[0] = common(a, b);
  out[1] = filtered(a, b);
  out[2] = nested(a, each);
  for (int i = 0; i < 12; i++)
    out[3 + i] = each[i];
  out[15] += 1;
}

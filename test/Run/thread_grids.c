// subset: Statements: nests of two loops whose iterations do not need each other
// languages: c c++
// class: A
// arrays: a f32 256; b f32 256; c f32 256; sums u32 320
// call: thread_grids(a, b, c, sums)
// RUN: %run-construct
//
// On a GPU, row-wise, the threads of a team are a grid over both loops, each with a few rows and
// columns in registers.
#include <colonnade/annotate.h>

#include <stdint.h>

COLONNADE_BULK
void thread_grids(const float a[256], const float b[256], float c[256], uint32_t sums[320]) {
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) {
      float sum = 0;
      for (int k = 0; k < 16; k++)
        sum += a[i * 16 + k] * b[k * 16 + j];
      c[i * 16 + j] = sum;
    }
  /* Elimination without pivots: the nest shrinks. */
  for (int k = 0; k < 16; k++)
    for (int i = k + 1; i < 16; i++)
      for (int j = k + 1; j < 20; j++)
        sums[i * 20 + j] -= sums[i * 20 + k] * sums[k * 20 + j];
}

// subset: Statements: triangular loops in which a row needs only what rows before have left
// languages: c c++
// class: A
// arrays: a f32 1024
// call: thread_rows(a)
// RUN: %run-construct
//
// On a GPU, row-wise, the threads of a team are a grid of one column: each has some rows of the
// array in registers. Factors of a symmetric matrix without roots.
#include <colonnade/annotate.h>

COLONNADE_BULK
void thread_rows(float a[1024]) {
  for (int j = 0; j < 32; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < 32; i++)
        a[i * 32 + j] -= a[i * 32 + k] * a[j * 32 + k];
    const float scale = 1 / (a[j * 32 + j] * a[j * 32 + j] + 1);
    for (int i = j; i < 32; i++)
      a[i * 32 + j] *= scale;
  }
}

// subset: Statements: loops over the rows of triangular matrices
// languages: c c++
// class: A
// arrays: l f32 1024; b f32 32; x f32 32; u f32 4096; y f32 64
// call: triangular_rows(l, b, x, u, y)
// RUN: %run-construct
//
// On a GPU, row-wise, the threads of a block copy of each row of the matrices as much as its
// iteration needs, several rows at a time where they need all of it, while the vectors are in their
// registers, or where the caller has them.
#include <colonnade/annotate.h>

COLONNADE_BULK
void triangular_rows(const float l[1024], const float b[32], float x[32], const float u[4096],
                     float y[64]) {
  for (int i = 0; i < 32; i++) {
    float sum = b[i];
    for (int j = 0; j < i; j++)
      sum -= l[i * 32 + j] * x[j];
    x[i] = sum / (l[i * 32 + i] + 2);
  }
  for (int i = 63; i >= 0; i--) {
    float sum = y[i];
    for (int j = i + 1; j < 64; j++)
      sum -= u[i * 64 + j] * y[j];
    y[i] = sum / (u[i * 64 + i] + 2);
  }
}

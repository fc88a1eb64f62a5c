// subset: Statements: loops over the rows of triangular matrices
// languages: c c++
// class: A
// arrays: l f32 1024; b f32 32; x f32 32
// call: triangular_rows(l, b, x)
// RUN: %run-construct
//
// On a GPU, row-wise, the threads of a block copy of each row of the matrix as much as its iteration
// needs, several rows at a time where they need all of it, while the vectors are in their registers;
// the next rows are on their way meanwhile.
#include <colonnade/annotate.h>

COLONNADE_BULK
void triangular_rows(const float l[1024], const float b[32], float x[32]) {
  for (int i = 0; i < 32; i++) {
    float sum = b[i];
    for (int j = 0; j < i; j++)
      sum -= l[i * 32 + j] * x[j];
    x[i] = sum / (l[i * 32 + i] + 2);
  }
}

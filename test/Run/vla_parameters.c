// subset: Parameters: C's variable-length arrays
// declare: void vla_parameters(int n, int m, int k, float *a, float *b, float *c);
// class: A
// arrays: a f32 12; b f32 8; c f32 6
// scalars: n s32 3; m s32 4; k s32 2
// call: vla_parameters(n, m, k, a, b, c)
// RUN: %run-construct
#include <colonnade/annotate.h>

COLONNADE_BULK
void vla_parameters(int n, int m, int k, float a[n][m], float b[m][k], float c[n][k]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) {
      c[i][j] = 0;
      for (int l = 0; l < m; l++)
        c[i][j] += a[i][l] * b[l][j];
    }
}

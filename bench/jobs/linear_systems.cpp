//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// linear_systems.cpp: forward substitution, Levinson and Durbin's recursion for Toeplitz
// systems, Cramer's rule for systems of three, and the step of a Kalman filter that predicts.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

COLONNADE_BULK
void forward_substitution(const float *l COLONNADE_EXTENT(n *n), const float *b COLONNADE_EXTENT(n), float *x COLONNADE_EXTENT(n), int n) {
  for (int i = 0; i < n; ++i) {
    float sum = b[i];
    for (int j = 0; j < i; ++j)
      sum -= l[i * n + j] * x[j];
    x[i] = sum / l[i * n + i];
  }
}

COLONNADE_BULK
void durbin(const float r[32], float y[32]) {
  float z[32];
  float alpha = -r[0], beta = 1;
  y[0] = -r[0];
  for (int k = 1; k < 32; ++k) {
    beta = (1 - alpha * alpha) * beta;
    float sum = 0;
    for (int i = 0; i < k; ++i)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; ++i)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; ++i)
      y[i] = z[i];
    y[k] = alpha;
  }
}

static float determinant(const float m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

COLONNADE_BULK
void solve_three(const float matrix[3][3], const float right[3], float x[3]) {
  const float all = determinant(matrix);
  for (int column = 0; column < 3; ++column) {
    float replaced[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        replaced[i][j] = j == column ? right[i] : matrix[i][j];
    x[column] = determinant(replaced) / all;
  }
}

/// x = F x and P = F P F' + Q, for 6 states.
COLONNADE_BULK
void predict(float x[6], float p[6][6], const float f[6][6], const float q[6][6]) {
  float moved[6], product[6][6];
  for (int i = 0; i < 6; ++i) {
    moved[i] = 0;
    for (int k = 0; k < 6; ++k)
      moved[i] += f[i][k] * x[k];
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      product[i][j] = 0;
      for (int k = 0; k < 6; ++k)
        product[i][j] += f[i][k] * p[k][j];
    }
  for (int i = 0; i < 6; ++i) {
    x[i] = moved[i];
    for (int j = 0; j < 6; ++j) {
      p[i][j] = q[i][j];
      for (int k = 0; k < 6; ++k)
        p[i][j] += product[i][k] * f[j][k];
    }
  }
}

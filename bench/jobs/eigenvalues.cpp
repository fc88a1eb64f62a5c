//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// eigenvalues.cpp: the eigenvalues of a symmetric 3 x 3 matrix, by cyclic Jacobi rotations.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cmath>

static void rotate(float a[3][3], int p, int q) {
  const float theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const float root = std::fabs(theta) + std::sqrt(theta * theta + 1);
  const float t = a[p][q] == 0 ? 0 : std::copysign(1 / root, theta);
  const float c = 1 / std::sqrt(t * t + 1), s = t * c;
  const int r = 3 - p - q;
  const float arp = a[r][p], arq = a[r][q];
  a[p][p] -= t * a[p][q];
  a[q][q] += t * a[p][q];
  a[p][q] = a[q][p] = 0;
  a[r][p] = a[p][r] = c * arp - s * arq;
  a[r][q] = a[q][r] = s * arp + c * arq;
}

/// packed: a00, a01, a02, a11, a12, a22.
COLONNADE_BULK
void eigenvalues(const float packed[6], float values[3]) {
  float a[3][3] = {{packed[0], packed[1], packed[2]},
                   {packed[1], packed[3], packed[4]},
                   {packed[2], packed[4], packed[5]}};
  for (int sweep = 0; sweep < 20; ++sweep) {
    rotate(a, 0, 1);
    rotate(a, 0, 2);
    rotate(a, 1, 2);
  }
  for (int i = 0; i < 3; ++i)
    values[i] = a[i][i];
}

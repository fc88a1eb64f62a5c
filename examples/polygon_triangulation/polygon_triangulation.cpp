//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Optimal triangulation of a convex n-gon by dynamic programming: Algorithm OPT
// of "Bulk Execution of Oblivious Algorithms on the UMM", section IV. Class P:
// the minimum is taken by a branch on data.
//
// In: weight[i*n+j], the weight of the chord between vertices i and j (edges of
// the polygon and the pair 0, n-1 weigh nothing). Out: best[1*n + n-1], the
// least total weight of n-3 chords that do not cross; the other cells of `best`
// are the least weights of the sub-polygons, enough to draw the triangulation.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <limits>

COLONNADE_BULK
void triangulate(const float *weight COLONNADE_EXTENT(n * n), float *best COLONNADE_EXTENT(n * n),
                                                                                         int n) {
  for (int i = 1; i < n; i++)
    best[i * n + i] = 0;
  for (int i = n - 2; i >= 1; i--) {
    for (int j = i + 1; j < n; j++) {
      float least = std::numeric_limits<float>::infinity();
      for (int k = i; k < j; k++) {
        float sum = best[i * n + k] + best[(k + 1) * n + j];
        if (sum < least)
          least = sum;
      }
      best[i * n + j] = least + weight[(i - 1) * n + j];
    }
  }
}

//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All shortest paths of a dense graph of n vertices, in place (Floyd, Warshall).
// Class P: a path is replaced by a shorter one under a branch on data.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

COLONNADE_BULK
void floyd_warshall(float *distance COLONNADE_EXTENT(n * n), int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (distance[i * n + k] + distance[k * n + j] < distance[i * n + j])
          distance[i * n + j] = distance[i * n + k] + distance[k * n + j];
}
